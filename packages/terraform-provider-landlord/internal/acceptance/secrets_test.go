package acceptance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

func matching(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// secrets remembers the secret of a resource from step to step.
type secrets struct {
	address, last string
}

func secretsOf(address string) *secrets { return &secrets{address: address} }

func (s *secrets) another(state *terraform.State) error {
	before := s.last
	s.last = state.RootModule().Resources[s.address].Primary.Attributes["secret"]
	if s.last == "" || s.last == before {
		return errors.New("the secret is empty, or the one before")
	}
	return nil
}

func (s *secrets) same(state *terraform.State) error {
	if state.RootModule().Resources[s.address].Primary.Attributes["secret"] != s.last {
		return errors.New("the secret is another one")
	}
	return nil
}

// Neither the most detailed log nor the output of a plan contains a secret.
func TestAccSecretsAreNotLogged(t *testing.T) {
	command := newCommand(t)
	t.Setenv("LANDLORD_PROTECTION_CODE", "ABCD2345")
	log := filepath.Join(command.folder, "trace.log")
	t.Setenv("TF_LOG", "trace")
	t.Setenv("TF_LOG_PATH", log)
	config := func(name string) string {
		return fmt.Sprintf(`
			terraform {
				required_providers {
					landlord = { source = "landlord/landlord" }
				}
			}
			resource "landlord_channel" "it" {
				channel        = "webhook"
				name           = %[1]q
				destination    = "https://hooks.example.com/path-of-%[1]s"
				settings       = { webhook = { headers = { authorization = "header-of-%[1]s" } } }
				rotate_trigger = %[1]q
			}
			resource "landlord_api_key" "it" {
				name           = "traced"
				expiry_at      = %[4]q
				permissions    = { environment = ["deployment:read"] }
				rotate_trigger = %[1]q
			}
			data "landlord_credentials" "it" {
				deployment_id = %[2]s
			}
			%[3]s`, name, given("AWS"),
			connectorConfig("traced", "https://service.example/hook", fmt.Sprintf(`secret_values = jsonencode({ plugin_config = { headers = { authorization = "value-of-%s" } } })`, name)), inAMonth())
	}
	hidden := []string{os.Getenv("LANDLORD_API_KEY"), "ABCD2345"}
	output := ""
	for _, name := range []string{"first", "second"} {
		command.write("main.tf", config(name))
		output += command.terraform("apply", "-no-color", "-input=false", "-auto-approve")
		hidden = append(hidden, "path-of-"+name, "header-of-"+name, "value-of-"+name)
		hidden = append(hidden, secretsIn(t, filepath.Join(command.folder, "terraform.tfstate"))...)
	}
	output += command.terraform("destroy", "-no-color", "-input=false", "-auto-approve")

	if len(hidden) != 14 {
		t.Fatalf("%d secrets are known", len(hidden))
	}
	logged, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(logged), "provision_deployment") && !strings.Contains(string(logged), "run_connectors") {
		t.Error("the log does not show the operations")
	}
	for index, secret := range hidden {
		if strings.Contains(string(logged), secret) {
			t.Errorf("the log contains the secret %d", index)
		}
		if strings.Contains(output, secret) {
			t.Errorf("the output contains the secret %d", index)
		}
	}
}

// secretsIn returns the secrets that Landlord has made.
func secretsIn(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, match := range matching(`"(?:secret|password)": "([^"]+)"`).FindAllSubmatch(text, -1) {
		found = append(found, string(match[1]))
	}
	return found
}
