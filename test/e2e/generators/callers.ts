/** The programs that call both APIs with generated clients: ids as words, addresses and the key in the environment. They print a name and a status. */
const GO_HEAD = `package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
`;
const GO_IDS = `
func id(place int) int64 {
	value, err := strconv.ParseInt(os.Args[place], 10, 64)
	must(err)
	return value
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
`;

export const OAPI_CODEGEN = `${GO_HEAD}	"net/http"

	"example.com/clients/landlord_main"
	"example.com/clients/landlord_supervisor"
)
${GO_IDS}
func main() {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("ld-api-key", os.Getenv("KEY"))
		return nil
	}
	ctx := context.Background()
	api, err := landlord_main.NewClientWithResponses(os.Getenv("MAIN"), landlord_main.WithRequestEditorFn(key))
	must(err)
	environment, err := api.EnvironmentsGetWithResponse(ctx, id(1), id(2), id(3))
	must(err)
	cell, err := landlord_supervisor.NewClientWithResponses(os.Getenv("SUPERVISOR"), landlord_supervisor.WithRequestEditorFn(key))
	must(err)
	deleted, err := cell.AccessRulesDeleteWithResponse(ctx, id(4), id(5))
	must(err)
	fmt.Println(environment.JSON200.Name, deleted.StatusCode())
}
`;

export const GENERATOR_GO = `${GO_HEAD}
	"example.com/clients/landlord_main"
	"example.com/clients/landlord_supervisor"
)
${GO_IDS}
func main() {
	ctx := context.Background()
	main := landlord_main.NewConfiguration()
	main.Servers = landlord_main.ServerConfigurations{{URL: os.Getenv("MAIN")}}
	main.AddDefaultHeader("ld-api-key", os.Getenv("KEY"))
	environment, _, err := landlord_main.NewAPIClient(main).OrganizationAPI.EnvironmentsGet(ctx, id(1), id(2), id(3)).Execute()
	must(err)
	cell := landlord_supervisor.NewConfiguration()
	cell.Servers = landlord_supervisor.ServerConfigurations{{URL: os.Getenv("SUPERVISOR")}}
	cell.AddDefaultHeader("ld-api-key", os.Getenv("KEY"))
	deleted, err := landlord_supervisor.NewAPIClient(cell).AccessRulesAPI.AccessRulesDelete(ctx, id(4), id(5)).Execute()
	must(err)
	fmt.Println(environment.Name, deleted.StatusCode)
}
`;

const PYTHON_HEAD = `import os, sys
ids = [int(word) for word in sys.argv[1:]]
`;

export const GENERATOR_PYTHON = `${PYTHON_HEAD}
import landlord_main, landlord_supervisor

def client(library, address):
    made = library.ApiClient(library.Configuration(host=os.environ[address]))
    made.set_default_header('ld-api-key', os.environ['KEY'])
    return made

environment = landlord_main.OrganizationApi(client(landlord_main, 'MAIN')).environments_get(*ids[:3])
rules = landlord_supervisor.AccessRulesApi(client(landlord_supervisor, 'SUPERVISOR'))
print(environment.name, rules.access_rules_delete_with_http_info(*ids[3:]).status_code)
`;

export const PYTHON_CLIENT = `${PYTHON_HEAD}
import landlord_main, landlord_supervisor
from landlord_main.api.organization import environments_get
from landlord_supervisor.api.access_rules import access_rules_delete

def client(library, address):
    return library.AuthenticatedClient(
        base_url=os.environ[address], token=os.environ['KEY'], auth_header_name='ld-api-key', prefix='')

environment = environments_get.sync(*ids[:3], client=client(landlord_main, 'MAIN'))
deleted = access_rules_delete.sync_detailed(*ids[3:], client=client(landlord_supervisor, 'SUPERVISOR'))
print(environment.name, deleted.status_code.value)
`;

export const GENERATOR_JAVA = `public class Main {
  public static void main(String[] words) throws Exception {
    long[] ids = java.util.Arrays.stream(words).mapToLong(Long::parseLong).toArray();
    String key = System.getenv("KEY");
    var main = new landlord_main.ApiClient();
    main.updateBaseUri(System.getenv("MAIN"));
    main.setRequestInterceptor(request -> request.header("ld-api-key", key));
    var environment = new landlord_main.api.OrganizationApi(main).environmentsGet(ids[0], ids[1], ids[2]);
    var cell = new landlord_supervisor.ApiClient();
    cell.updateBaseUri(System.getenv("SUPERVISOR"));
    cell.setRequestInterceptor(request -> request.header("ld-api-key", key));
    var rules = new landlord_supervisor.api.AccessRulesApi(cell);
    System.out.println(environment.getName() + " " + rules.accessRulesDeleteWithHttpInfo(ids[3], ids[4]).getStatusCode());
  }
}
`;

export const GENERATOR_TYPESCRIPT = `import * as main from './landlord_main/index';
import * as supervisor from './landlord_supervisor/index';

declare const process: { argv: string[]; env: Record<string, string> };
const [tenantId = 0, divisionId = 0, environmentId = 0, deploymentId = 0, accessRuleId = 0] = process.argv.slice(2).map(Number);
const settingsOf = (basePath: string | undefined) => ({ basePath: basePath ?? '', headers: { 'ld-api-key': process.env['KEY'] ?? '' } });
const organization = new main.OrganizationApi(new main.Configuration(settingsOf(process.env['MAIN'])));
const rules = new supervisor.AccessRulesApi(new supervisor.Configuration(settingsOf(process.env['SUPERVISOR'])));
const environment = await organization.environmentsGet({ tenantId, divisionId, environmentId });
const deleted = await rules.accessRulesDeleteRaw({ deploymentId, accessRuleId });
console.log(environment.name, deleted.raw.status);
export {};
`;
