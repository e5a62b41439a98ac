package acceptance

import (
	"errors"
	"regexp"

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
