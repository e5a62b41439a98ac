package client

import "testing"

func TestAResourceIsGoneOnlyInATenantThatTheKeySees(t *testing.T) {
	for code, expected := range map[string]bool{"division_not_found": true, "tenant_not_found": false} {
		if IsNotFound(&Problem{Status: 404, Code: code}) != expected {
			t.Errorf("%s: the resource is gone: %t", code, !expected)
		}
	}
	if !IsNotFound(NotFound("there is no access rule %d", 7)) {
		t.Error("a record that no list contains is not gone")
	}
}
