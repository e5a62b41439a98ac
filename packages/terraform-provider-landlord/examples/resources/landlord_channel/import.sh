# The id of the channel, or the ids of the division and of the channel.
terraform import landlord_channel.on_call 4
terraform import landlord_channel.payments 1/5
