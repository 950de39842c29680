"""Run a workflow of GitHub Actions, or a pipeline of GitLab CI, as far as docs/how-to/ci.md and scripts/ci use them.
What it does not know ends it with 99: a key, an expression, an action.

    _ci_runner.py github|gitlab FILE OUT [NAME=VALUE]...

In the current folder, which is the checkout. GitHub: NAME is an input of the action, vars.NAME a variable of the
repository, github.NAME a part of that context. GitLab: NAME is a variable of the project. OUT gets `artifacts`, what the
job printed (log), GitHub's summary.md, and job.json: result, exit code, outputs (of GitLab: what its dotenv file says)."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import yaml

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOKEN = re.compile(r"\s*('[^']*'|&&|\|\||==|!=|[!()]|[A-Za-z_][\w.-]*)")
STEP = {"name", "id", "if", "uses", "with", "run", "shell", "env"}
JOB = {"stage", "tags", "timeout", "interruptible", "rules", "script", "after_script", "before_script", "retry", "artifacts",
       "allow_failure", "extends", "variables"}


def fail(words):
    print(f"_ci_runner.py: {words}", file=sys.stderr)
    sys.exit(99)


def known(keys, allowed, where):
    if unknown := set(keys) - set(allowed):
        fail(f"{where}: unknown {sorted(map(str, unknown))}")


def read_yaml(path):
    return yaml.load(pathlib.Path(path).read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


class Expression:
    """`a.b == 'c' && !d()` in a scope of contexts and of functions; what is not set is an empty string."""

    def __init__(self, text, scope):
        self.scope, self.tokens, at = scope, [], 0
        while text[at:].strip():
            found = TOKEN.match(text, at) or fail(f"expression: {text}")
            self.tokens.append(found[1])
            at = found.end()
        self.value = self.either()
        self.tokens and fail(f"expression: {text}")

    def take(self, *wanted):
        return self.tokens.pop(0) if self.tokens and (not wanted or self.tokens[0] in wanted) else None

    def either(self):
        value = self.both()
        while self.take("||"):
            other = self.both()
            value = value or other
        return value

    def both(self):
        value = self.equal()
        while self.take("&&"):
            other = self.equal()
            value = value and other
        return value

    def equal(self):
        value = self.single()
        if operator := self.take("==", "!="):
            value = (str(value).lower() == str(self.single()).lower()) == (operator == "==")
        return value

    def single(self):
        token = self.take() or fail("an expression ends too early")
        if token == "!":
            return not self.single()
        if token == "(":
            value = self.either()
            return value if self.take(")") else fail("an expression without )")
        if token[0] == "'":
            return token[1:-1]
        if self.take("("):
            return self.scope["functions"][token]() if self.take(")") else fail(f"{token}: arguments")
        return self.look_up(token.split("."))

    def look_up(self, names):
        value = self.scope
        for name in names:
            if name not in value and not any(value is table for table in self.scope["open"]):
                fail(f"no {'.'.join(names)}")
            value = value.get(name, "")
        return value


def filled(value, scope):
    """The text with its expressions replaced."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda match: str(Expression(match[1], scope).value), str(value))


class GitHub:
    def __init__(self, out, given):
        self.out, self.given, self.failed, self.exit, self.outputs = out, given, False, 0, {}
        self.temp, self.path, self.exported, self.log = out / "temp", [], {}, (out / "log").open("w")
        (out / "artifacts").mkdir(parents=True)
        (self.temp / "_files").mkdir(parents=True)

    def part(self, name):
        return {key.split(".", 1)[1]: value for key, value in self.given.items() if key.startswith(name + ".")}

    def scope(self, **contexts):
        github = {"token": "a-token", "event_name": "push", "ref": "refs/heads/main", "event": {"number": "7"}, **self.part("github")}
        functions = {"always": lambda: True, "cancelled": lambda: False, "success": lambda: not self.failed, "failure": lambda: self.failed}
        steps, variables = {}, self.part("vars")
        return {"github": github, "vars": variables, "steps": steps, "functions": functions,
                "open": [variables], **contexts}

    def workflow(self, file):
        document = {"on" if key is True else key: value for key, value in read_yaml(file).items()}
        known(document, {"name", "on", "permissions", "concurrency", "jobs"}, file)
        (job,) = document["jobs"].values()
        known(job, {"runs-on", "timeout-minutes", "steps"}, file)
        self.steps(job["steps"], self.scope())
        return {"result": "failure" if self.failed else "success", "exit": self.exit, "outputs": self.outputs}

    def steps(self, steps, scope):
        for step in steps:
            known(step, STEP, f"step {step.get('name')}")
            condition = str(step.get("if", "success()")).removeprefix("${{").removesuffix("}}")
            if not re.search(r"\b(always|cancelled|success|failure)\(\)", condition):
                condition = f"success() && ({condition})"
            outputs = self.step(step, scope) if Expression(condition, scope).value else {}
            scope["open"].append(outputs)
            scope["steps"][step.get("id", "")] = {"outputs": outputs}

    def step(self, step, scope):
        if "run" in step:
            return self.shell(step, {key: filled(value, scope) for key, value in step.get("env", {}).items()})
        values = {key: filled(value, scope) for key, value in step.get("with", {}).items()}
        if step["uses"] == "actions/checkout@v4":
            known(values, {"fetch-depth"}, "checkout")
        elif step["uses"] == "actions/upload-artifact@v4":
            self.keep(values)
        elif found := re.fullmatch(r"(?:OWNER/gate/scripts/ci/github@v([\d.]+)|\./\.github/actions/gate)", step["uses"]):
            self.outputs = self.composite(values, found[1])
            return self.outputs
        else:
            fail(f"uses {step['uses']}")
        return {}

    def keep(self, values):
        known(values, {"name", "path", "if-no-files-found", "retention-days"}, "upload-artifact")
        if os.path.isdir(values["path"]) and os.listdir(values["path"]):
            shutil.copytree(values["path"], self.out / "artifacts" / values["name"])
        elif values.get("if-no-files-found") != "ignore":
            self.failed = True

    def composite(self, values, version):
        action = read_yaml(SOURCE / "scripts/ci/github/action.yml")
        known(action, {"name", "description", "inputs", "outputs", "runs"}, "action")
        values |= {key: value for key, value in self.given.items() if "." not in key}
        known(values, action["inputs"], "inputs")
        scope, inputs = self.scope(), {}
        for name, entry in action["inputs"].items():
            known(entry, {"description", "required", "default"}, name)
            if entry.get("required") and name not in values:
                fail(f"the input {name} is required")
            inputs[name] = values[name] if name in values else filled(entry["default"], scope)
        if version not in (None, action["inputs"]["version"]["default"]):
            fail(f"the action of {version} installs another gate")
        scope["inputs"] = inputs
        known(action["runs"], {"using", "steps"}, "runs")
        if any("run" in step and step.get("shell") != "bash" for step in action["runs"]["steps"]):
            fail("a step of an action that runs needs a shell")
        self.steps(action["runs"]["steps"], scope)
        return {name: filled(entry["value"], scope) for name, entry in action["outputs"].items()}

    def shell(self, step, env):
        files = {name: self.temp / "_files" / name for name in ("OUTPUT", "ENV", "PATH", "STATE", "STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        script = self.temp / "_files" / "script.sh"
        script.write_text(step["run"])
        flags = ["--noprofile", "--norc", "-eo", "pipefail"] if step.get("shell") == "bash" else ["-e"]
        env = {**os.environ, **self.exported, "GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_REPOSITORY": "a/b",
               "RUNNER_TEMP": str(self.temp), **env,
               **{"GITHUB_" + name: str(file) for name, file in files.items()}, "PATH": ":".join(self.path + [os.environ["PATH"]])}
        ended = subprocess.run(["bash", *flags, script], env=env, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        if ended.returncode:
            self.failed, self.exit = True, self.exit or ended.returncode
        self.path = (files["PATH"].read_text().splitlines()[::-1] if files["PATH"].exists() else []) + self.path
        self.exported |= self.pairs(files["ENV"])
        with (self.out / "summary.md").open("a") as summary:
            summary.write(files["STEP_SUMMARY"].read_text())
        return self.pairs(files["OUTPUT"])

    @staticmethod
    def pairs(file):
        """NAME=VALUE lines; no step here needs a value of several lines. What is no file says nothing."""
        lines = file.read_text().splitlines() if file.is_file() else []
        return dict(line.split("=", 1) if re.match(r"[A-Za-z_][\w-]*=", line) else fail(f"{file}: {line}") for line in lines)


def merged(below, above):
    """As `extends` does: tables are merged, all else is replaced."""
    both = isinstance(below, dict) and isinstance(above, dict)
    return {key: merged(below.get(key), above.get(key, below.get(key))) for key in {**below, **above}} if both else above


class GitLab:
    def __init__(self, out, given):
        self.out, self.given, self.log = out, given, (out / "log").open("w")
        (out / "artifacts").mkdir()

    def document(self, file):
        document = read_yaml(file)
        for entry in document.pop("include", []):
            known(entry, {"project", "ref", "file", "remote", "local"}, "include")
            if not (entry.get("file") or entry.get("local") or entry.get("remote")).endswith("scripts/ci/gitlab.yml"):
                fail(f"include: {entry}")
            document = merged(read_yaml(SOURCE / "scripts/ci/gitlab.yml"), document)
        return document

    def job(self, file):
        document = self.document(file)
        ((name, job),) = ((name, job) for name, job in document.items() if name[0] != ".")
        if "extends" in job:
            job = merged(document[job["extends"]], job)
        known(job, JOB, f"job {name}")
        return job

    def variables(self, job):
        here = os.getcwd()
        values = {"CI": "true", "GITLAB_CI": "true", "CI_PROJECT_DIR": here, "CI_PROJECT_ID": "1", "CI_COMMIT_BRANCH": "main",
                  **{key: str(value) for key, value in job.get("variables", {}).items()}, **self.given}
        for _ in values:
            values = {key: re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda found: values.get(found[1] or found[2], ""), value)
                      for key, value in values.items()}
        return values

    def shell(self, lines, env):
        """As the runner starts bash: all lines in one, by eval, with nothing to read."""
        script = f"set -eo pipefail\nset +o noclobber\n: | eval {shlex.quote(chr(10).join(lines))}\nexit 0\n"
        return subprocess.run(["bash"], input=script, text=True, env={**os.environ, **env}, stdout=self.log, stderr=self.log).returncode

    def pipeline(self, file):
        job = self.job(file)
        env = self.variables(job)
        code = self.shell(job.get("before_script", []) + job["script"], env)
        self.shell(job.get("after_script", []), {**env, "CI_JOB_STATUS": "failed" if code else "success"})
        return {"result": "failure" if code else "success", "exit": code, "outputs": self.keep(job["artifacts"])}

    def keep(self, artifacts):
        known(artifacts, {"when", "expire_in", "paths", "reports", "name"}, "artifacts")
        reports = artifacts.get("reports", {})
        known(reports, {"junit", "metrics", "dotenv"}, "reports")
        if artifacts["when"] != "always":
            fail("what is red is not kept")
        for path in artifacts["paths"] + list(reports.values()):
            if os.path.isdir(path):
                shutil.copytree(path, self.out / "artifacts" / path, dirs_exist_ok=True)
            elif os.path.exists(path):
                shutil.copy(path, self.out / "artifacts" / path)
        return self.dotenv(reports["dotenv"]) if "dotenv" in reports and os.path.exists(reports["dotenv"]) else {}

    @staticmethod
    def dotenv(path):
        text = pathlib.Path(path).read_text()
        lines = text.splitlines()
        if len(text) > 5120 or len(lines) > 20 or not all(re.fullmatch(r"[A-Za-z0-9_]+=\S+", line) for line in lines):
            fail(f"GitLab refuses {path}: {text}")
        return dict(line.split("=", 1) for line in lines)


def main(system, file, out, *given):
    out = pathlib.Path(out).resolve()
    out.mkdir()
    values = dict(value.split("=", 1) for value in given)
    job = GitHub(out, values).workflow(file) if system == "github" else GitLab(out, values).pipeline(file)
    (out / "job.json").write_text(json.dumps(job))


main(*sys.argv[1:])
