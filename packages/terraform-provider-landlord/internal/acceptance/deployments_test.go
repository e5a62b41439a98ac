package acceptance

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// deployment has what the tests of all kinds of deployments share.
func deployment(address, config, changed string, expected values) lifecycle {
	return lifecycle{
		address:  address,
		config:   config,
		expected: expected,
		changed:  changed,
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.DeploymentsUpdate(api.TenantID, state.id("division_id"), state.id("environment_id"), state.id("id"), mainapi.UpdateDeploymentDto{Name: text("renamed-elsewhere")}))
			return err
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			_, err := client.Call(ctx, api.Main, mainapi.DeploymentsGet(api.TenantID, state.id("division_id"), state.id("environment_id"), state.id("id")))
			return err
		},
		importID: []string{"division_id", "environment_id", "id"},
	}
}

func TestAccDeployment(t *testing.T) {
	config := func(tier, more string) string {
		return fmt.Sprintf(`
			resource "landlord_deployment" "it" {
				division_id    = %s
				environment_id = %s
				name           = "orders"
				cloud          = "aws"
				region         = "us-east-1"
				managed_tier   = "standard"
				tier           = %q
				cluster        = "cluster"
				%s
			}`, given("DIVISION"), given("ENVIRONMENT"), tier, more)
	}
	deployment(
		"landlord_deployment.it",
		config("small", ""),
		config("medium", "description = \"Orders of the shop\"\nspend_limit = 500\nretention = { telemetry_days = 3 }\nstorage = { size = 200 }\ntimeouts = { update = \"10m\" }"),
		values{"name": "orders", "nodes_count": "3", "storage.type": "network_balanced", "storage.size": "100", "retention.telemetry_days": "14"},
	).run(t)
}

// A Free deployment has no terms and no price.
func TestAccFreeDeployment(t *testing.T) {
	config := func(protected bool) string {
		return fmt.Sprintf(`
			resource "landlord_deployment" "it" {
				division_id       = %s
				environment_id    = %s
				name              = "free"
				cloud             = "gcp"
				region            = "us-central1"
				tier              = "free"
				cluster           = "standalone"
				public_ip_enabled = false
				protected         = %t
			}`, given("DIVISION"), given("ENVIRONMENT"), protected)
	}
	test := deployment("landlord_deployment.it", config(true), config(false), values{"nodes_count": "1", "subdomain_enabled": "false", "protected": "true"})
	test.run(t)
}

// The plan refuses a size that does not exist, and a shape that Landlord refuses.
func TestAccDeploymentPlans(t *testing.T) {
	config := func(tier string) string {
		return fmt.Sprintf(`
			resource "landlord_deployment" "it" {
				division_id    = %s
				environment_id = %s
				name           = "planned"
				cloud          = "aws"
				region         = "us-east-1"
				managed_tier   = "standard"
				tier           = %q
				cluster        = "cluster"
			}`, given("DIVISION"), given("ENVIRONMENT"), tier)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: config("huge"), ExpectError: matching(`value must be one of`)},
			{Config: config("free"), PlanOnly: true, ExpectError: matching(`Landlord refuses this shape`)},
		},
	})
}

func TestAccStarterDeployment(t *testing.T) {
	config := func(more string) string {
		return fmt.Sprintf(`
			resource "landlord_division" "of" { name = "Of starters" }
			resource "landlord_environment" "of" {
				division_id = landlord_division.of.id
				name        = "trial"
			}
			resource "landlord_starter_deployment" "it" {
				division_id    = landlord_division.of.id
				environment_id = landlord_environment.of.id
				cloud          = "aws"
				region         = "us-east-1"
				%s
			}`, more)
	}
	test := deployment(
		"landlord_starter_deployment.it",
		config("name = \"first\"\ndescription = \"A trial\""),
		config("name = \"second\"\nprotected = false"),
		values{"name": "first", "description": "A trial", "nodes_count": "1", "environment_name": "trial"},
	)
	test.remove = func(ctx context.Context, api *client.Client, state values) error {
		answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsDelete(api.TenantID, state.id("division_id"), state.id("environment_id"), state.id("id"), nil))
		if err != nil {
			return err
		}
		return api.WaitFor(ctx, answer.Body.OperationId)
	}
	test.run(t)
}

// A creation that takes too long leaves a tainted resource, which the next run replaces.
func TestAccTimeout(t *testing.T) {
	config := func(limit string) string {
		return fmt.Sprintf(`
			resource "landlord_division" "of" { name = "Of timeouts" }
			resource "landlord_starter_deployment" "it" {
				division_id = landlord_division.of.id
				name        = "late"
				cloud       = "aws"
				region      = "us-east-1"
				timeouts    = { create = %q }
			}`, limit)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: config("1s"), ExpectError: matching(`has not ended in time,\s+and\s+goes\s+on`)},
			{
				Config:           config("5m"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction("landlord_starter_deployment.it", plancheck.ResourceActionReplace)}},
				Check:            resource.TestCheckResourceAttr("landlord_starter_deployment.it", "environment_name", "sandbox"),
			},
		},
	})
}

func TestAccByocDeployment(t *testing.T) {
	config := func(tier string) string {
		return fmt.Sprintf(`
			locals {
				aws = {
					account_id   = "210987654321"
					identity_arn = "arn:aws:iam::210987654321:role/landlord"
					external_id  = %q
					vpc_id       = "vpc-0123456789abcdef0"
				}
			}
			resource "landlord_cloud_account" "of" {
				cloud      = "aws"
				name       = "of deployments"
				account_id = local.aws.account_id
				settings = {
					aws = {
						identity_arn = local.aws.identity_arn
						external_id  = local.aws.external_id
						vpc_id       = local.aws.vpc_id
					}
				}
			}
			resource "landlord_byoc_deployment" "it" {
				depends_on     = [landlord_cloud_account.of]
				division_id    = %s
				environment_id = %s
				name           = "theirs"
				cloud          = "aws"
				region         = "eu-west-1"
				tier           = %q
				cluster        = "cluster"
				aws            = merge(local.aws, { vpc_cidr = "172.20.0.0/16" })
			}`, given("EXTERNAL_ID"), given("DIVISION"), given("ENVIRONMENT"), tier)
	}
	deployment("landlord_byoc_deployment.it", config("small"), config("medium"), values{"nodes_count": "3", "aws.vpc_cidr": "172.20.0.0/16"}).run(t)
}

// The API does not show the project of the customer, so an import takes the project from the configuration.
func TestAccByocDeploymentOnGoogleCloud(t *testing.T) {
	config := func(description string) string {
		return fmt.Sprintf(`
			resource "landlord_byoc_deployment" "it" {
				division_id    = %s
				environment_id = %s
				name           = "their-project"
				description    = %q
				cloud          = "gcp"
				region         = "us-central1"
				tier           = "small"
				cluster        = "cluster"
				gcp = {
					project_id            = "their-project"
					service_account_email = "landlord@their-project.iam.gserviceaccount.com"
					vpc_name              = "default"
				}
			}`, given("DIVISION"), given("ENVIRONMENT"), description)
	}
	test := deployment("landlord_byoc_deployment.it", config("first"), config("second"), values{"nodes_count": "3", "gcp.vpc_name": "default"})
	test.notImported = []string{"gcp"}
	test.isPartial = true
	test.run(t)
}

func TestAccDataSources(t *testing.T) {
	config := fmt.Sprintf(`
		data "landlord_catalog" "it" {
			cloud  = "aws"
			region = "us-east-1"
		}
		data "landlord_preview" "it" {
			cloud        = "aws"
			region       = "us-east-1"
			tier         = "small"
			managed_tier = "standard"
			storage      = { size = 200 }
		}
		data "landlord_credentials" "it" {
			deployment_id = %s
		}`, given("AWS"))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{{
			Config: config,
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckTypeSetElemNestedAttrs("data.landlord_catalog.it", "tiers.*", map[string]string{"key": "small"}),
				resource.TestCheckTypeSetElemNestedAttrs("data.landlord_catalog.it", "storages.*", map[string]string{"key": "network_balanced"}),
				resource.TestCheckTypeSetElemNestedAttrs("data.landlord_catalog.it", "regions.*", map[string]string{"key": "us-east-1"}),
				resource.TestCheckResourceAttr("data.landlord_preview.it", "nodes", "3"),
				resource.TestCheckResourceAttr("data.landlord_preview.it", "orderable", "true"),
				resource.TestMatchResourceAttr("data.landlord_preview.it", "monthly_total_usd", matching(`^[1-9]`)),
				resource.TestMatchResourceAttr("data.landlord_credentials.it", "username", matching(`.`)),
				resource.TestMatchResourceAttr("data.landlord_credentials.it", "password", matching(`.{16}`)),
			),
		}},
	})
}
