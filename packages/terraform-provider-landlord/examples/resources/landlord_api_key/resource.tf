# A key with a role. Another rotate_trigger gives another secret.
resource "landlord_api_key" "operators" {
  name            = "operators"
  expiry_at       = "2027-01-01T00:00:00Z"
  role_id         = landlord_role.operators.id
  rotate_trigger  = "2026-11"
  overlap_seconds = 3600
}

# A key with its own permissions, for some addresses.
resource "landlord_api_key" "monitoring" {
  name        = "monitoring"
  expiry_at   = "2027-01-01T00:00:00Z"
  permissions = { environment = ["deployment:read"] }
  validate_ip = true
  allowed_ips = ["203.0.113.0/24"]
}
