package acceptance

import (
	"fmt"
	"testing"
)

// Only the output of a plan shows warnings.
func TestAccPriceInPlan(t *testing.T) {
	command := newCommand(t)
	config := func(environment, tier string, size int) string {
		return fmt.Sprintf(`
			terraform {
				required_providers {
					landlord = { source = "landlord/landlord" }
				}
			}
			resource "landlord_environment" "new" {
				division_id = %s
				name        = "priced"
			}
			resource "landlord_deployment" "it" {
				division_id    = %s
				environment_id = %s
				name           = "priced"
				cloud          = "aws"
				region         = "us-east-1"
				managed_tier   = "standard"
				tier           = %q
				cluster        = "cluster"
				storage        = { size = %d }
			}`, given("DIVISION"), given("DIVISION"), environment, tier, size)
	}
	shows := func(output string, patterns ...string) {
		t.Helper()
		for _, pattern := range patterns {
			if !matching(pattern).MatchString(output) {
				t.Errorf("the plan does not show %s: %s", pattern, output)
			}
		}
	}
	const amount = `[1-9]\d*\.\d\d USD`

	// The environment does not exist yet.
	command.write("main.tf", config("landlord_environment.new.id", "small", 200))
	shows(command.terraform("plan", "-no-color", "-input=false"),
		`Warning: The deployment priced costs about `+amount+` a month`, `3 nodes\. Compute `+amount+`, storage `+amount+`, estimated transfer`)

	command.write("main.tf", config(given("ENVIRONMENT"), "small", 200))
	command.terraform("apply", "-no-color", "-input=false", "-auto-approve")
	defer func() {
		// A destruction plans first, too.
		command.write("main.tf", config(given("ENVIRONMENT"), "small", 300))
		command.terraform("destroy", "-no-color", "-input=false", "-auto-approve")
	}()
	shows(command.terraform("plan", "-no-color", "-input=false"), `No changes`)

	command.write("main.tf", config(given("ENVIRONMENT"), "medium", 200))
	shows(command.terraform("plan", "-no-color", "-input=false"),
		`costs about `+amount+` a month after the upgrade, `+amount+` more than now`, `nodes_count += 3 -> \(known after apply\)`)

	// Landlord refuses less storage, and the plan does too.
	command.write("main.tf", config(given("ENVIRONMENT"), "small", 100))
	shows(command.refused("plan", "-no-color", "-input=false"), `Error: Landlord refuses this shape`, `storage_cannot_shrink`)

	// Landlord refuses another upgrade of the hardware too early, and the plan does too.
	command.write("main.tf", config(given("ENVIRONMENT"), "small", 300))
	command.terraform("apply", "-no-color", "-input=false", "-auto-approve")
	command.write("main.tf", config(given("ENVIRONMENT"), "small", 400))
	shows(command.refused("plan", "-no-color", "-input=false"), `Error: Landlord refuses this upgrade now`, `upgrade_cooldown`)
}
