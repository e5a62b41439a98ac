package acceptance

import (
	"fmt"
	"testing"
)

// Only the output of a plan shows warnings.
func TestAccPriceInPlan(t *testing.T) {
	command := newCommand(t)
	command.write("main.tf", fmt.Sprintf(`
		terraform {
			required_providers {
				landlord = { source = "landlord/landlord" }
			}
		}
		resource "landlord_environment" "new" {
			division_id = %s
			name        = "not yet"
		}
		resource "landlord_deployment" "it" {
			division_id    = %s
			environment_id = landlord_environment.new.id
			name           = "priced"
			cloud          = "aws"
			region         = "us-east-1"
			managed_tier   = "standard"
			tier           = "small"
			cluster        = "cluster"
			storage        = { size = 200 }
		}`, given("DIVISION"), given("DIVISION")))

	output := command.terraform("plan", "-no-color", "-input=false")

	if !matching(`Warning: The deployment priced costs about [1-9]\d*\.\d\d USD a month`).MatchString(output) {
		t.Errorf("the plan shows no price: %s", output)
	}
	if !matching(`3 nodes\. Compute [1-9]\d*\.\d\d USD, storage [1-9]\d*\.\d\d USD, estimated transfer`).MatchString(output) {
		t.Errorf("the plan shows no parts of the price: %s", output)
	}
}
