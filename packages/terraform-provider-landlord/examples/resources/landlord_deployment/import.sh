# The ids of the division, of the environment and of the deployment.
terraform import landlord_deployment.orders 1/2/3
