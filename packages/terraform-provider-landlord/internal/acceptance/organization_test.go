package acceptance

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

func text(value string) *string { return &value }

func divisionExists(ctx context.Context, api *client.Client, state values) error {
	_, err := client.Call(ctx, api.Main, mainapi.DivisionsGet(api.TenantID, state.id("id")))
	return err
}

func TestAccDivision(t *testing.T) {
	lifecycle{
		address:  "landlord_division.it",
		config:   `resource "landlord_division" "it" {` + "\n" + `name = "Payments"` + "\n" + `email = "payments@example.com"` + "\n}",
		expected: values{"name": "Payments", "email": "payments@example.com", "protected": "false"},
		changed: `resource "landlord_division" "it" {
			name        = "Payments of Europe"
			description = "All payments"
		}`,
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.DivisionsUpdate(api.TenantID, state.id("id"), mainapi.UpdateDivisionDto{Name: text("Renamed")}))
			return err
		},
		remove: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.DivisionsDelete(api.TenantID, state.id("id"), nil))
			return err
		},
		exists:   divisionExists,
		importID: []string{"id"},
	}.run(t)
}

func TestAccEnvironment(t *testing.T) {
	config := func(more string) string {
		return fmt.Sprintf(`
			resource "landlord_division" "of" { name = "Of environments" }
			resource "landlord_environment" "it" {
				division_id = landlord_division.of.id
				%s
			}`, more)
	}
	lifecycle{
		address:  "landlord_environment.it",
		config:   config(`name = "staging"`),
		expected: values{"name": "staging"},
		changed:  config("name = \"test\"\ndescription = \"Of testers\""),
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.EnvironmentsUpdate(api.TenantID, state.id("division_id"), state.id("id"), mainapi.UpdateEnvironmentDto{Name: text("Renamed")}))
			return err
		},
		remove: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.EnvironmentsDelete(api.TenantID, state.id("division_id"), state.id("id"), nil))
			return err
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.EnvironmentsGet(api.TenantID, state.id("division_id"), state.id("id")))
			return err
		},
		importID: []string{"division_id", "id"},
	}.run(t)
}

func TestAccRole(t *testing.T) {
	config := func(more string) string {
		return fmt.Sprintf(`
			resource "landlord_division" "of" { name = "Of roles" }
			resource "landlord_role" "it" {
				name        = "Operators"
				permissions = {
					environment = ["deployment:read"]
					%s
				}
			}`, more)
	}
	lifecycle{
		address:  "landlord_role.it",
		config:   config(`divisions = { (landlord_division.of.id) = { permissions = ["environment:read"], environment = ["deployment:manage"] } }`),
		expected: values{"name": "Operators", "kind": "custom", "permissions.environment.#": "1", "permissions.divisions.%": "1"},
		changed:  config(`tenant = ["info:read", "member:read"]`),
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			granted := []string{"deployment:manage"}
			_, err := client.Call(ctx, api.Main, mainapi.RolesUpdate(api.TenantID, state.id("id"), mainapi.UpdateRoleDto{Permissions: &mainapi.Permissions{Environment: &granted}}))
			return err
		},
		remove: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.RolesDelete(api.TenantID, state.id("id")))
			return err
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.RolesGet(api.TenantID, state.id("id")))
			return err
		},
		importID: []string{"id"},
	}.run(t)
}

func apiKey(config string, expected values, changed string) lifecycle {
	return lifecycle{
		address:  "landlord_api_key.it",
		config:   config,
		expected: expected,
		changed:  changed,
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			validate := true
			_, err := client.Call(ctx, api.Main, mainapi.ApiKeysRestrict(api.TenantID, state.id("id"), mainapi.RestrictApiKeyDto{ValidateIp: &validate, AllowedIps: &[]string{"192.0.2.1"}}))
			return err
		},
		remove: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.ApiKeysDelete(api.TenantID, state.id("id")))
			return err
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.ApiKeysGet(api.TenantID, state.id("id")))
			return err
		},
		importID:    []string{"id"},
		notImported: []string{"secret"},
	}
}

func inAMonth() string { return time.Now().AddDate(0, 1, 0).UTC().Format(time.RFC3339) }

func TestAccApiKeyWithPermissions(t *testing.T) {
	config := func(expiry, more string) string {
		return fmt.Sprintf(`
			resource "landlord_api_key" "it" {
				name        = "of permissions"
				expiry_at   = %q
				permissions = { environment = ["deployment:read"] }
				%s
			}`, expiry, more)
	}
	expiry := inAMonth()
	apiKey(config(expiry, ""), values{"validate_ip": "false"}, config(expiry, "validate_ip = true\nallowed_ips = [\"203.0.113.0/24\", \"198.51.100.7\", \"2001:db8::/32\"]")).run(t)
}

func TestAccApiKeyWithRole(t *testing.T) {
	config := func(expiry, more string) string {
		return fmt.Sprintf(`
			resource "landlord_role" "of" {
				name        = "Of keys"
				permissions = { environment = ["deployment:read"] }
			}
			resource "landlord_api_key" "it" {
				name      = "of a role"
				expiry_at = %q
				role_id   = landlord_role.of.id
				%s
			}`, expiry, more)
	}
	expiry := inAMonth()
	apiKey(config(expiry, ""), values{"validate_ip": "false"}, config(expiry, `rotate_trigger = "first"`)).run(t)
}

// Another trigger gives another secret, and the same trigger the same secret.
func TestAccApiKeyRotation(t *testing.T) {
	expiry := inAMonth()
	config := func(trigger string) string {
		return fmt.Sprintf(`
			resource "landlord_api_key" "it" {
				name           = "rotated"
				expiry_at      = %q
				permissions    = { environment = ["deployment:read"] }
				rotate_trigger = %q
			}`, expiry, trigger)
	}
	secrets := secretsOf("landlord_api_key.it")
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: config("one"), Check: secrets.another},
			{Config: config("two"), Check: secrets.another},
			{Config: config("two"), Check: secrets.same},
		},
	})
}

func TestAccCloudAccount(t *testing.T) {
	config := func(more string) string {
		return fmt.Sprintf(`
			resource "landlord_cloud_account" "it" {
				cloud      = "aws"
				account_id = "123456789012"
				settings = {
					aws = {
						identity_arn = "arn:aws:iam::123456789012:role/landlord"
						external_id  = %q
						vpc_id       = "vpc-0123456789abcdef0"
						vpc_cidr     = "172.20.0.0/16"
					}
				}
				%s
			}`, given("EXTERNAL_ID"), more)
	}
	lifecycle{
		address:  "landlord_cloud_account.it",
		config:   config(`name = "ours"`),
		expected: values{"status": "active", "settings.aws.vpc_cidr": "172.20.0.0/16"},
		changed:  config("name = \"renamed\"\nregion = \"eu-west-1\"\nremarks = \"of the data team\"\nstatus = \"inactive\""),
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.CloudAccountsUpdate(api.TenantID, state.id("id"), mainapi.UpdateCloudAccountDto{Status: text("locked")}))
			return err
		},
		remove: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.CloudAccountsDelete(api.TenantID, state.id("id")))
			return err
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.CloudAccountsGet(api.TenantID, state.id("id")))
			return err
		},
		importID: []string{"id"},
	}.run(t)
}
