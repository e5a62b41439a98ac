import type { Supervisor } from '@landlord/sdk';
import { Code } from '../../../ui/text/code.js';
import { Status } from '../../../ui/text/status.js';
import { Time } from '../../../ui/text/time.js';
import { DeploymentButton, DeploymentForm } from '../deployment-request.js';
import { Facts } from '../../../ui/text/facts.js';
import { ReadProblem } from '../../../ui/read-problem.js';
import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';

/** The certificate of the nodes, and the login of the clients. */
export function SecurityScreen() {
  const certificate = useLive('certificates.get', {});
  return (
    <>
      <Section title="Certificate">
        <ReadProblem of={certificate} />
        {certificate.data && <Certificate {...certificate.data} />}
        <DeploymentButton
          request="certificates.rotate"
          action="Replace the certificate"
          kind="plain"
          question="Replace the certificate and the key of every node? Open connections stay open."
        />
      </Section>
      <Section title="Login of the clients">
        <p>The old password works for the time that you choose. Then clients with the old password are disconnected.</p>
        <DeploymentForm
          request="runtime.rotateCredentials"
          own={{ overlap_seconds: { label: 'Seconds for which the old password works', hint: '' } }}
          initial={{ overlap_seconds: 3_600 }}
          action="Replace the password"
          question="Replace the password of the clients?"
          kind="danger"
        />
      </Section>
    </>
  );
}

const Certificate = (certificate: Supervisor.CertificateView) => (
  <>
    <Facts
      values={{
        Status: <Status of={certificate.status} />,
        Names: certificate.names.join(', '),
        Issued: <Time at={certificate.issued_at} />,
        Ends: <Time at={certificate.not_after} />,
        'Serial number': <code>{certificate.serial}</code>,
      }}
    />
    <p>Clients trust this certificate authority:</p>
    <Code label="Certificate authority" text={certificate.ca_certificate} />
  </>
);
