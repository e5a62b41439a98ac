package acceptance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// command runs the terraform of the acceptance tests with the built provider, by the dev_overrides of the README.
type command struct {
	t      *testing.T
	folder string
}

func newCommand(t *testing.T) *command {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	made := &command{t: t, folder: t.TempDir()}
	made.run("go", "build", "-C", packageFolder(t), "-o", filepath.Join(made.folder, "terraform-provider-landlord"), ".")
	made.write("cli.tfrc", fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"landlord/landlord\" = %q\n  }\n  direct {}\n}\n", made.folder))
	return made
}

func packageFolder(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func (c *command) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.folder, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// terraform returns the output, with one space instead of each break and frame.
func (c *command) terraform(args ...string) string {
	c.t.Helper()
	return onOneLine(c.run(os.Getenv("TF_ACC_TERRAFORM_PATH"), args...))
}

// refused is the same for a command that must fail.
func (c *command) refused(args ...string) string {
	c.t.Helper()
	output, err := c.start(os.Getenv("TF_ACC_TERRAFORM_PATH"), args...)
	if err == nil {
		c.t.Fatalf("the command does not fail: %s", output)
	}
	return onOneLine(output)
}

func onOneLine(output string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(output, "│", "")), " ")
}

func (c *command) run(program string, args ...string) string {
	c.t.Helper()
	output, err := c.start(program, args...)
	if err != nil {
		c.t.Fatalf("%s: %v\n%s", program, err, output)
	}
	return output
}

func (c *command) start(program string, args ...string) (string, error) {
	run := exec.Command(program, args...)
	run.Dir = c.folder
	run.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(c.folder, "cli.tfrc"))
	output, err := run.CombinedOutput()
	return string(output), err
}
