mutable_params = ["vendor", "lr"]
