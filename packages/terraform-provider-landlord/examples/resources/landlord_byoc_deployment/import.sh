# The ids of the division, of the environment and of the deployment.
terraform import landlord_byoc_deployment.ours 1/2/5
