// The Terraform provider of Landlord.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/landlord/terraform-provider-landlord/internal/provider"
)

// version is set by the build of a release.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger")
	flag.Parse()
	options := providerserver.ServeOpts{Address: "registry.terraform.io/landlord/landlord", Debug: *debug}
	if err := providerserver.Serve(context.Background(), provider.New(version), options); err != nil {
		log.Fatal(err)
	}
}
