# The id of the cloud account.
terraform import landlord_cloud_account.ours 3
