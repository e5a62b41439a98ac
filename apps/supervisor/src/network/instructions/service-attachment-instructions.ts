import type { InstructionStepView, InstructionsView } from '../dto/instructions.view.js';
import type { AttachmentState, ServiceAttachmentView } from '../dto/service-attachment.view.js';
import { letInStep } from './let-in-step.js';

/** The location of the attachment, as consumers must type it. */
export interface AttachmentLocation {
  deploymentUrl: string;
  region: string;
  /** Network of the translated addresses of connections. */
  cidr: string | null;
}

/** Returns the steps of a consumer, with one text for each state (C-22.3). */
export function serviceAttachmentInstructions(
  attachment: ServiceAttachmentView,
  location: AttachmentLocation,
): InstructionsView {
  const { summary, steps } = TEXTS[attachment.state](attachment, location);
  const values: Record<string, string> = {
    region: location.region,
    ...(attachment.service_attachment_uri !== null && { service_attachment_uri: attachment.service_attachment_uri }),
  };
  return { status: attachment.state, summary, steps, values };
}

interface Text {
  summary: string;
  steps: InstructionStepView[];
}

const TEXTS: Record<AttachmentState, (attachment: ServiceAttachmentView, location: AttachmentLocation) => Text> = {
  pending: () => ({
    summary:
      'Google Cloud creates the service attachment. Read these instructions again in a minute. Consumers need the URI of the attachment.',
    steps: [],
  }),
  active: (attachment, location) => ({
    summary: `The service attachment is active. ${whoMay(attachment)}`,
    steps: [
      reserve(location),
      forward(attachment, location),
      watch(attachment, location),
      ...letIn(attachment, location),
    ],
  }),
  closed: (_attachment, { region }) => ({
    summary:
      'Landlord deletes or has deleted the service attachment. Connected endpoints no longer reach the deployment.',
    steps: [
      {
        title: 'Delete your endpoint',
        description: 'In the project of each consumer, delete the forwarding rule first. Then delete its address.',
        command: `gcloud compute forwarding-rules delete landlord-endpoint --project <your project> --region ${region}
gcloud compute addresses delete landlord-endpoint --project <your project> --region ${region}`,
      },
    ],
  }),
};

function whoMay({ consumer_accept_lists, connection_preference }: ServiceAttachmentView): string {
  const projects = consumer_accept_lists.length === 0 ? 'any project' : consumer_accept_lists.join(', ');
  return connection_preference === 'accept_automatic'
    ? `Google Cloud accepts connections of ${projects} automatically.`
    : `The operator of this cloud accepts connections of ${projects}.`;
}

const reserve = ({ region }: AttachmentLocation): InstructionStepView => ({
  title: 'Reserve an address',
  description: `Reserve an internal address in your network and in region ${region}. Your clients connect to this address.`,
  command: `gcloud compute addresses create landlord-endpoint --project <your project> --region ${region} --subnet <your subnet>`,
});

const forward = (
  { service_attachment_uri }: ServiceAttachmentView,
  { region }: AttachmentLocation,
): InstructionStepView => ({
  title: 'Create the endpoint',
  description:
    'Create a forwarding rule from the address to the service attachment. The status of the rule is PENDING until the connection is accepted.',
  command: `gcloud compute forwarding-rules create landlord-endpoint --project <your project> --region ${region} \\
  --network <your network> --address landlord-endpoint \\
  --target-service-attachment ${service_attachment_uri ?? '<service_attachment_uri>'}`,
});

const watch = ({ id }: ServiceAttachmentView, { deploymentUrl }: AttachmentLocation): InstructionStepView => ({
  title: 'Check the status of the connection',
  description:
    'This request lists the connections and their status. When the status is `accepted`, clients can use your address.',
  command: `curl "${deploymentUrl}/network/gcp/psc/${id}/connections" -H "ld-api-key: $KEY"`,
});

/** Without the PROXY protocol the nodes see only addresses of the operator's network. */
function letIn({ enable_proxy_protocol }: ServiceAttachmentView, { deploymentUrl, cidr }: AttachmentLocation) {
  if (!enable_proxy_protocol && cidr !== null) return [letInStep(deploymentUrl, cidr)];
  return [letInStep(deploymentUrl, '<network of your clients>')];
}
