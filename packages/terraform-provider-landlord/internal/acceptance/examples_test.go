package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The examples are one valid configuration together: each name is there once, and each reference leads to another example.
func TestAccExamples(t *testing.T) {
	command := newCommand(t)
	files, err := filepath.Glob(filepath.Join(packageFolder(t), "examples/*/*/*.tf"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("there are %d examples", len(files))
	}
	files = append(files, filepath.Join(packageFolder(t), "examples/provider/provider.tf"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		command.write(strings.ReplaceAll(filepath.Base(filepath.Dir(file)), "/", "_")+"_"+filepath.Base(file), string(text))
	}

	output := command.terraform("validate", "-no-color")

	if !strings.Contains(output, "Success! The configuration is valid") {
		t.Error(output)
	}
	command.terraform("fmt", "-check", "-diff", ".")
}
