# The ids of the channel and of the subscription. Before them the id of the division, if the channel has one.
terraform import landlord_subscription.nodes 4/6
