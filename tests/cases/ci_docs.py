"""Take the snippets out of docs/how-to/ci.md: FOLDER gets each block as a file and each of its scripts as a .bash file.
Fails where a block holds a key that its CI system does not know.   ci_docs.py FILE FOLDER"""

import pathlib
import re
import sys

import yaml

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GITHUB = {
    "workflow": {"name", "on", "permissions", "concurrency", "env", "jobs"},
    "job": {"strategy", "runs-on", "timeout-minutes", "steps", "env", "if", "needs", "name"},
    "step": {"name", "uses", "with", "run", "if", "env", "id", "continue-on-error"},
}
GITLAB_JOB = {
    "stage", "tags", "timeout", "interruptible", "rules", "script", "after_script", "before_script", "retry", "artifacts",
    "allow_failure", "extends", "variables", "needs", "parallel",
}
GITLAB_NESTED = {
    "retry": {"max", "when", "exit_codes"},
    "artifacts": {"when", "expire_in", "paths", "reports", "name"},
    "reports": {"junit", "metrics"},
    "allow_failure": {"exit_codes"},
}
JENKINS = {
    "pipeline", "agent", "options", "stages", "stage", "steps", "script", "post", "always", "if", "else",
    "environment",
}


def known(keys, allowed, where):
    unknown = set(keys) - allowed
    if unknown:
        sys.exit(f"{where}: unknown {sorted(map(str, unknown))}")


def github(document):
    document = {"on" if key is True else key: value for key, value in document.items()}
    known(document, GITHUB["workflow"], "workflow")
    for name, job in document["jobs"].items():
        known(job, GITHUB["job"], f"job {name}")
        for step in job["steps"]:
            known(step, GITHUB["step"], f"step of {name}")
            if ("uses" in step) == ("run" in step):
                sys.exit(f"job {name}: a step either uses or runs")
            if "uses" in step and not re.fullmatch(r"[\w-]+/[\w-]+@v\d+|OWNER/gate/scripts/ci/github@v[\d.]+", step["uses"]):
                sys.exit(f"job {name}: uses {step['uses']}")
            if "run" in step:
                yield step["run"]


def gitlab(document):
    for entry in document.pop("include", []):
        known(entry, {"project", "ref", "file"}, "include")
    for name, job in document.items():
        known(job, GITLAB_JOB, f"job {name}")
        reports = job.get("artifacts", {}).get("reports", {})
        for key, value in {**job, "reports": reports}.items():
            if key in GITLAB_NESTED and isinstance(value, dict):
                known(value, GITLAB_NESTED[key], f"{name}: {key}")
        for key in ("before_script", "script", "after_script"):
            if key in job:
                yield "\n".join(job[key])


def pre_commit(document):
    known(document, {"repos"}, "pre-commit")
    there = {hook["id"] for hook in yaml.safe_load((SOURCE / ".pre-commit-hooks.yaml").read_text())}
    for repository in document["repos"]:
        known(repository, {"repo", "rev", "hooks"}, "pre-commit")
        known({hook["id"] for hook in repository["hooks"]}, there, "pre-commit")
    return []


def groovy(text):
    code = re.sub(r"'''.*?'''|\"[^\"]*\"|'[^']*'|//[^\n]*", "", text, flags=re.S)
    if any(code.count(a) != code.count(b) for a, b in ("{}", "()")):
        sys.exit("Jenkins: brackets do not match")
    known(re.findall(r"(\w+)\s*(?:\([^{}()]*\)\s*)?\{", code), JENKINS, "Jenkins")
    return re.findall(r"'''(.*?)'''", text, flags=re.S)


def main(file, folder):
    blocks = re.findall(r"^```(yaml|groovy)\n(.*?)^```$", pathlib.Path(file).read_text(), flags=re.S | re.M)
    for number, (kind, text) in enumerate(blocks):
        pathlib.Path(folder, f"{number}.{kind}").write_text(text)
        document = yaml.safe_load(text) if kind == "yaml" else None
        reader = next((reader for key, reader in {"jobs": github, "repos": pre_commit}.items() if document and key in document), gitlab)
        scripts = reader(document) if document else groovy(text)
        for index, script in enumerate(scripts):
            pathlib.Path(folder, f"{number}-{index}.bash").write_text(script + "\n")


main(*sys.argv[1:])
