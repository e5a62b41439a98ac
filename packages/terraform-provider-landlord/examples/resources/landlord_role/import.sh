# The id of the role.
terraform import landlord_role.operators 7
