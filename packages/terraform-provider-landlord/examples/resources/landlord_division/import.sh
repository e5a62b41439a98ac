# The id of the division.
terraform import landlord_division.payments 1
