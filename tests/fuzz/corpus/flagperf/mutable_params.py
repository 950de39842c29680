mutable_params = [
    'train_data', "vendor",
]
mutable_params += ["local_rank"]
