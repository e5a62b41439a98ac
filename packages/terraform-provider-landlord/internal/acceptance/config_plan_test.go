package acceptance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const requiredProvider = `
	terraform {
		required_providers {
			landlord = { source = "landlord/landlord" }
		}
	}
`

var quietly = []string{"-no-color", "-input=false"}

func with(name string, more ...string) []string {
	return append(append([]string{name}, quietly...), more...)
}

// Values that Landlord refuses are an error of the plan, at the attribute.
func TestAccConfigIsValidatedInThePlan(t *testing.T) {
	command := newCommand(t)
	config := func(connections string) string {
		return fmt.Sprintf(requiredProvider+`
			resource "landlord_broker_config" "it" {
				deployment_id = %s
				values        = jsonencode({ mqtt = { max_connections = %s } })
			}`, given("AWS"), connections)
	}
	for _, wrong := range []string{`"many"`, `-1`, `1.5`, `{ no_such = 1 }`} {
		command.write("main.tf", config(wrong))
		output := command.refused(with("plan")...)
		if !matching(`Landlord did not accept the broker config`).MatchString(output) || !strings.Contains(output, "mqtt/max_connections") {
			t.Errorf("the plan with %s does not say what is wrong: %s", wrong, output)
		}
	}
	command.write("main.tf", config("120"))
	if output := command.terraform(with("plan")...); !strings.Contains(output, "1 to add") {
		t.Errorf("the plan is not made: %s", output)
	}
}

// A secret of the configuration alone reaches the connector, and neither the state nor a plan has it.
func TestAccWriteOnlySecrets(t *testing.T) {
	command := newCommand(t)
	config := func(secret string, version int) string {
		return fmt.Sprintf(requiredProvider+`
			resource "landlord_connector" "it" {
				deployment_id  = %[1]s
				connector_type = "sink"
				connector_key  = "http"
				instance_key   = "write_only"
			}
			resource "landlord_connector_config" "it" {
				deployment_id  = %[1]s
				connector_type = "sink"
				connector_key  = "http"
				name           = landlord_connector.it.instance_key
				values = jsonencode({
					enabled       = false
					plugin_config = { url = "https://example.com/in" }
				})
				secret_values_wo         = jsonencode({ plugin_config = { headers = { authorization = %[2]q } } })
				secret_values_wo_version = %[3]d
			}`, given("AWS"), secret, version)
	}
	state := func() string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(command.folder, "terraform.tfstate"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	versionOf := func() float64 {
		t.Helper()
		var read struct {
			Resources []struct {
				Type      string
				Instances []struct{ Attributes map[string]any }
			}
		}
		if err := json.Unmarshal([]byte(state()), &read); err != nil {
			t.Fatal(err)
		}
		for _, one := range read.Resources {
			if one.Type == "landlord_connector_config" {
				return one.Instances[0].Attributes["version"].(float64)
			}
		}
		t.Fatal("the state has no configuration")
		return 0
	}
	command.write("main.tf", config("Bearer first", 1))
	command.terraform(with("apply", "-auto-approve")...)
	defer func() { command.terraform(with("destroy", "-auto-approve")...) }()
	first := versionOf()
	command.terraform(with("plan", "-detailed-exitcode")...)

	// Terraform does not know that the secret is another one, until the number says so.
	command.write("main.tf", config("Bearer second", 1))
	command.terraform(with("plan", "-detailed-exitcode")...)
	command.write("main.tf", config("Bearer second", 2))
	command.terraform(with("plan", "-out=saved")...)
	command.terraform(with("apply", "saved")...)
	if versionOf() <= first {
		t.Error("the other number saves no version")
	}
	for _, text := range []string{state(), command.terraform("show", "-json", "saved")} {
		if strings.Contains(text, "Bearer") {
			t.Error("a plan or the state contains the secret")
		}
	}

	// A state of a release without these attributes plans empty.
	old := strings.NewReplacer(`"secret_values_wo": null,`, "").Replace(state())
	command.write("terraform.tfstate", old)
	command.terraform(with("plan", "-detailed-exitcode")...)
}
