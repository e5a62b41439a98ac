# The ids of the division and of the environment.
terraform import landlord_environment.production 1/2
