package crud

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// attributes is the part of a schema that reports need.
type attributes interface {
	TypeAtPath(context.Context, path.Path) (attr.Type, diag.Diagnostics)
}

const protectionHelp = `
The resource is protected, so its deletion needs a one-time code. Choose one:
  1. Set "protected = false", apply, and destroy then.
  2. Request a code, which Landlord mails to the organization. Set protection_code of the provider, or LANDLORD_PROTECTION_CODE, to the code within ten minutes.`

// report adds an error, at the attribute of each member that the server refuses.
func report(to *diag.Diagnostics, in attributes, renamed map[string]string, verb, name string, err error) {
	summary := fmt.Sprintf("Landlord did not %s the %s", verb, spoken(name))
	var problem *client.Problem
	if !errors.As(err, &problem) {
		to.AddError(summary, err.Error())
		return
	}
	detail := problem.Error()
	if strings.HasPrefix(problem.Code, "protection_code_") {
		detail += "\n" + protectionHelp
	}
	if len(problem.FieldIssues) == 0 {
		to.AddError(summary, detail)
	}
	for _, issue := range problem.FieldIssues {
		text := fmt.Sprintf("%s: %s (%s, request %s)", strings.TrimPrefix(issue.Path, "/"), issue.Reason, issue.Code, problem.Instance)
		if at, ok := attributeOf(in, renamed, issue.Path); ok {
			to.AddAttributeError(at, summary, text)
		} else {
			to.AddError(summary, text)
		}
	}
}

// Refuse adds an error to a plan that the server would refuse.
func Refuse(response *resource.ModifyPlanResponse, name string, err error) {
	report(&response.Diagnostics, response.Plan.Schema, nil, "accept", name, err)
}

func spoken(name string) string { return strings.ReplaceAll(name, "_", " ") }

// attributeOf returns the attribute that a JSON pointer means, or the attribute around it. False: the schema has none.
func attributeOf(in attributes, renamed map[string]string, pointer string) (path.Path, bool) {
	segments := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	root := segments[0]
	if other, ok := renamed[root]; ok {
		root = other
	}
	found := path.Root(root)
	if !exists(in, found) {
		return path.Empty(), false
	}
	for _, segment := range segments[1:] {
		// The members of a set have no index.
		if _, err := strconv.Atoi(segment); err == nil {
			break
		}
		next := found.AtName(segment)
		if !exists(in, next) {
			break
		}
		found = next
	}
	return found, true
}

func exists(in attributes, at path.Path) bool {
	_, problems := in.TypeAtPath(context.Background(), at)
	return !problems.HasError()
}
