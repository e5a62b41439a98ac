resource "landlord_tenant_config" "rules" {
  join_policy = "invite_only"
}
