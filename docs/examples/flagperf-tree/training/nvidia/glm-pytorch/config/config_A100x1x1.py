# What one node with 1 A100 sets in place of _base.py.
lr = 3e-3
