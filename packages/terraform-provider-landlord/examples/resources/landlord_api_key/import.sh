# The id of the key. The state has no secret until the next rotation.
terraform import landlord_api_key.operators 9
