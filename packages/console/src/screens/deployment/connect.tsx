import type { Supervisor } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { credentialsQuery } from '../../api/queries.js';
import { iggySnippets } from '../../lib/iggy-snippets.js';
import { mqttSnippets, type Connection, type Snippet } from '../../lib/snippets.js';
import { Button } from '../../ui/button.js';
import { Code } from '../../ui/text/code.js';
import { Problem } from '../../ui/problem.js';
import { Tabs, type Tab } from '../../ui/tabs.js';
import { Facts } from '../../ui/text/facts.js';
import { Section } from '../../ui/section.js';
import { useRefusal } from './use-deployment.js';

/** The address and the login, and programs that use them as they are. */
export function Connect({ tenantId, runtime }: { tenantId: number; runtime: Supervisor.DeploymentRuntimeView }) {
  const login = useQuery(credentialsQuery(tenantId, runtime.id));
  const refusal = useRefusal('deployment:credentials:read');
  const open = runtime.nodes.find(({ endpoints }) => endpoints.tcp !== null);
  const isMqtt = open?.driver !== 'iggy';
  const [host = '', port = ''] = ((isMqtt ? open?.endpoints.tcp : open?.endpoints.http) ?? '').split(/:(?=\d+$)/);
  return (
    <Section title="Connect">
      {login.data === undefined ? (
        <>
          <Button
            kind="primary"
            isBusy={login.isFetching}
            disabledReason={refusal ?? (open ? null : 'No node has an address yet.')}
            onPress={() => void login.refetch()}
          >
            Show the login and programs
          </Button>
          {login.error && <Problem error={login.error} />}
        </>
      ) : (
        <Programs
          isMqtt={isMqtt}
          to={{ host, port: Number(port), username: login.data.username, password: login.data.password }}
        />
      )}
    </Section>
  );
}

const Programs = ({ to, isMqtt }: { to: Connection; isMqtt: boolean }) => (
  <>
    <Facts
      values={{
        Address: <code>{`${to.host}:${to.port}`}</code>,
        User: <code>{to.username}</code>,
        Password: <code>{to.password}</code>,
      }}
    />
    <Tabs label="Languages" tabs={(isMqtt ? mqttSnippets(to) : iggySnippets(to)).map(toTab)} />
  </>
);

const toTab = ({ language, install, file, run, text }: Snippet): Tab => ({
  name: language,
  content: (
    <>
      {install !== '' && <Code label={`Installation for ${language}`} text={install} />}
      <p>
        Write this into <code>{file}</code>:
      </p>
      <Code label={`Program in ${language}`} text={text} />
      <Code label={`How to run the program in ${language}`} text={run} />
    </>
  ),
});
