package crud

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// afterCreation is the error of a change of a resource that was created without the change.
type afterCreation struct{ error }

func (e *afterCreation) Unwrap() error { return e.error }

// AfterCreation returns the error of a change that the creation itself does not take, such as a spend limit. It becomes a warning: after an
// error Terraform would replace the resource with its data. The plan must have all computed members, and keeps the values of the refused
// change, because Terraform refuses others. The next plan reads the real values, and so shows the difference.
func AfterCreation(err error) error { return &afterCreation{err} }

// warnOfChange reports the error of a change as a warning, at the attribute of each member that the server refuses.
func warnOfChange(to *diag.Diagnostics, in attributes, renamed map[string]string, name string, failed *afterCreation) {
	var found diag.Diagnostics
	report(&found, in, renamed, "change", name, failed.error)
	summary := fmt.Sprintf("Landlord created the %s, and did not change it", spoken(name))
	for _, one := range found {
		detail := one.Detail() + "\nThe resource exists without this change. The next plan shows the difference: correct the configuration, or apply again."
		if at, ok := one.(diag.DiagnosticWithPath); ok {
			to.AddAttributeWarning(at.Path(), summary, detail)
		} else {
			to.AddWarning(summary, detail)
		}
	}
}
