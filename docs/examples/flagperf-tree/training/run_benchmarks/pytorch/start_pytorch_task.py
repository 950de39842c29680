"""Starts a case in its container: finds its files, and runs its training."""
import argparse
import os
import sys

parser = argparse.ArgumentParser()
for name in ("vendor", "case_name", "model_name", "train_script", "extern_config_file", "data_dir", "log_dir", "host_addr",
             "master_addr", "visible_dev_env"):
    parser.add_argument("--" + name)
for name in ("nnodes", "nproc", "node_rank", "master_port", "round"):
    parser.add_argument("--" + name, type=int)
parser.add_argument("--enable_extern_config", action="store_true")
args = parser.parse_args()

benchmark = f"training/benchmarks/{args.model_name}/pytorch"
own = f"training/{args.vendor}/{args.model_name}-pytorch/config/{args.extern_config_file}"
os.execvp(sys.executable, [sys.executable, f"{benchmark}/{args.train_script}", str(args.nproc), f"{benchmark}/config/_base.py", own])
