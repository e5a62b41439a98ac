package acceptance

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// The creation of a starter takes no retention. A refused one must not replace the deployment, which may have data by the next run.
func TestAccRefusedChangeAfterCreation(t *testing.T) {
	const name = "landlord_starter_deployment.it"
	config := func(days int) string {
		return fmt.Sprintf(`
			resource "landlord_division" "of" { name = "Of refused changes" }
			resource "landlord_starter_deployment" "it" {
				division_id = landlord_division.of.id
				name        = "kept"
				cloud       = "aws"
				region      = "us-east-1"
				retention   = { telemetry_days = %d }
			}`, days)
	}
	updates := plancheck.ExpectResourceAction(name, plancheck.ResourceActionUpdate)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config:             config(900),
				ConfigPlanChecks:   resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{updates}},
				ExpectNonEmptyPlan: true,
			},
			{
				Config:           config(3),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{updates}},
				Check:            resource.TestCheckResourceAttr(name, "retention.telemetry_days", "3"),
			},
		},
	})
}
