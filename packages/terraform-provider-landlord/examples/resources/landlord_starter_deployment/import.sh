# The ids of the division, of the environment and of the deployment.
terraform import landlord_starter_deployment.trial 1/2/4
