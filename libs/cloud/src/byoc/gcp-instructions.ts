import { GCP_NETWORK_PERMISSIONS, GCP_NODE_PERMISSIONS, nodeCondition } from './gcp-permissions.js';

/** One setup step in the customer's project. */
export interface SetupStep {
  title: string;
  description: string;
  /** For a shell in which the earlier steps ran. */
  command: string;
}

/** A role of the project for the service account. */
export interface ProjectRole {
  /** Its id in the project. */
  role: string;
  title: string;
  permissions: string[];
  /** An IAM condition that limits the role. Null for none. */
  condition: string | null;
}

/** The setup by a customer that allows a driver for gcp to act in a project. */
export interface GcpInstructions {
  roles: ProjectRole[];
  steps: SetupStep[];
}

/** The parameters of the instructions. */
export interface GcpSetup {
  region: string;
  /** Landlord's own service account. */
  serviceAccount: string;
  externalId: string;
}

const ACCOUNT = 'landlord-byoc@$PROJECT_ID.iam.gserviceaccount.com';

/** A service account in the customer's project that Landlord's own account may impersonate, with two dedicated roles. */
export function gcpInstructions({ region, serviceAccount, externalId }: GcpSetup): GcpInstructions {
  const roles: ProjectRole[] = [
    {
      role: 'landlordByocNodes',
      title: `Landlord nodes in ${region}`,
      permissions: GCP_NODE_PERMISSIONS,
      condition: nodeCondition(region),
    },
    { role: 'landlordByocNetwork', title: 'Landlord networks', permissions: GCP_NETWORK_PERMISSIONS, condition: null },
  ];
  return { roles, steps: [...beginning(externalId), ...roles.flatMap(roleSteps), impersonation(serviceAccount)] };
}

const beginning = (externalId: string): SetupStep[] => [
  {
    title: 'Name the project',
    description: 'Put in the id of your project. The other commands use it.',
    command: 'PROJECT_ID=your-project-id',
  },
  {
    title: 'Enable the APIs',
    description: 'Compute Engine makes the nodes; IAM Credentials lets Landlord act as the service account.',
    command:
      'gcloud services enable compute.googleapis.com iam.googleapis.com iamcredentials.googleapis.com --project="$PROJECT_ID"',
  },
  {
    title: 'Make the service account',
    description:
      'Its description holds the external id of your organization. Landlord acts as no account that holds another one.',
    command: `gcloud iam service-accounts create landlord-byoc --project="$PROJECT_ID" --display-name="Landlord BYOC" --description="landlord-external-id=${externalId}"`,
  },
];

const roleSteps = ({ role, title, permissions, condition }: ProjectRole): SetupStep[] => [
  {
    title: `Make the role ${role}`,
    description: 'It holds what Landlord needs and nothing else.',
    command: `gcloud iam roles create ${role} --project="$PROJECT_ID" --title="${title}" --permissions=${permissions.join(',')}`,
  },
  {
    title: `Give the service account the role ${role}`,
    description: condition === null ? 'Networks are not of one zone, so it has no condition.' : 'In this region only.',
    command: `gcloud projects add-iam-policy-binding "$PROJECT_ID" --member="serviceAccount:${ACCOUNT}" --role="projects/$PROJECT_ID/roles/${role}" --condition=${conditionOf(title, condition)}`,
  },
];

const conditionOf = (title: string, condition: string | null): string =>
  condition === null ? 'None' : `"expression=${condition.replaceAll('"', '\\"')},title=${title}"`;

const impersonation = (serviceAccount: string): SetupStep => ({
  title: 'Let Landlord act as the service account',
  description: `Then send "landlord-byoc@<your project>.iam.gserviceaccount.com" as service_account_email.`,
  command: `gcloud iam service-accounts add-iam-policy-binding "${ACCOUNT}" --project="$PROJECT_ID" --member="serviceAccount:${serviceAccount}" --role=roles/iam.serviceAccountTokenCreator`,
});
