# The id of the user.
terraform import landlord_member.ada 12
