# The ids of the deployment and of the rule.
terraform import landlord_access_rule.office 3/8
