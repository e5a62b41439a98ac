package acceptance

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

const viewer = `data "landlord_role" "viewer" { name = "Viewer" }
`

func TestAccInvitation(t *testing.T) {
	config := func(email string) string {
		return fmt.Sprintf(viewer+`
			resource "landlord_invitation" "it" {
				email = %q
				roles = [data.landlord_role.viewer.id]
			}`, email)
	}
	lifecycle{
		address:  "landlord_invitation.it",
		config:   config("invited@example.com"),
		expected: values{"email": "invited@example.com", "status": "pending", "roles.#": "1"},
		changed:  config("another@example.com"),
		changeBy: plancheck.ResourceActionReplace,
		remove: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.InvitationsDelete(api.TenantID, state.id("id")))
			return err
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			answer, err := client.Call(ctx, api.Main, mainapi.InvitationsGet(api.TenantID, state.id("id")))
			if err == nil && answer.Body.Status != "pending" {
				return client.NotFound("the invitation is cancelled")
			}
			return err
		},
		importID: []string{"id"},
	}.run(t)
}

// The bench has made the person a member, as nothing but an accepted invitation does.
func TestAccMember(t *testing.T) {
	config := func(email string, active bool) string {
		return fmt.Sprintf(viewer+`
			resource "landlord_member" "it" {
				email  = %q
				roles  = [data.landlord_role.viewer.id]
				active = %t
			}`, email, active)
	}
	update := func(ctx context.Context, api *client.Client, id int64, isActive bool) error {
		_, err := client.Call(ctx, api.Main, mainapi.MembersUpdate(api.TenantID, id, mainapi.UpdateMemberDto{Active: &isActive}))
		return err
	}
	lifecycle{
		address:  "landlord_member.it",
		config:   config("Member@Example.com", true),
		expected: values{"roles.#": "1", "active": "true"},
		changed:  config("member@example.com", false),
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			return update(ctx, api, state.id("id"), false)
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.MembersGet(api.TenantID, state.id("id")))
			return err
		},
		importID: []string{"id"},
		// The import has the spelling of the person.
		notImported: []string{"email"},
		isPartial:   true,
	}.run(t)
}

func TestAccMemberWithoutInvitation(t *testing.T) {
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{{
			Config: viewer + `
				resource "landlord_member" "it" {
					email = "stranger@example.com"
					roles = [data.landlord_role.viewer.id]
				}`,
			ExpectError: matching(`must\s+accept\s+an\s+invitation\s+first`),
		}},
	})
}

func TestAccTenantConfig(t *testing.T) {
	config := func(policy string) string {
		return fmt.Sprintf(`resource "landlord_tenant_config" "it" { join_policy = %q }`, policy)
	}
	const name = "landlord_tenant_config.it"
	updates := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(name, plancheck.ResourceActionUpdate)}}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: config("invite_only"), Check: resource.TestCheckResourceAttr(name, "block_external_invitations", "false")},
			{Config: config("invite_only"), PlanOnly: true},
			{
				ResourceName: name, ImportState: true, ImportStateId: os.Getenv("LANDLORD_TENANT_ID"), ImportStateVerify: true,
				ImportStateVerifyIdentifierAttribute: "tenant_id",
			},
			{
				PreConfig: func() {
					api := apiOf(t)
					other := mainapi.UpdateTenantConfigDto{JoinPolicy: "request_to_join"}
					if _, err := client.Call(t.Context(), api.Main, mainapi.TenantConfigUpdate(api.TenantID, other)); err != nil {
						t.Fatal(err)
					}
				},
				Config: config("invite_only"), ConfigPlanChecks: updates,
			},
		},
	})
}

func TestAccRoleSource(t *testing.T) {
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config: viewer, Check: resource.ComposeAggregateTestCheckFunc(
					resource.TestCheckResourceAttrSet("data.landlord_role.viewer", "id"),
					resource.TestCheckResourceAttr("data.landlord_role.viewer", "kind", "system"),
				),
			},
			// A part of a name is no name.
			{Config: `data "landlord_role" "it" { name = "view" }`, ExpectError: matching(`has\s+no\s+role\s+"view"`)},
		},
	})
}
