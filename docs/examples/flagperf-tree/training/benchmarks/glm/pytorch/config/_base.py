# What every vendor trains with.
vendor: str = None
train_data: str = "train.txt"
max_steps: int = 20
lr: float = 3e-3
target_acc: float = 0.35
