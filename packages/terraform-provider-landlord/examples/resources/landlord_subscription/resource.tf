resource "landlord_subscription" "nodes" {
  channel_id         = landlord_channel.on_call.id
  message_types      = ["node_unreachable", "node_reachable"]
  scope_division_ids = [landlord_division.payments.id]
}
