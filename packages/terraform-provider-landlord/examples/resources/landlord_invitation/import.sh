# The id of the invitation.
terraform import landlord_invitation.ada 7
