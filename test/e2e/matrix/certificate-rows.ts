import type { Row } from './row.js';
import type { World } from './world.js';

const servingDeployment = async (world: World) => ({ deployment_id: await world.servingDeployment() });

/** A deployment with a certificate in the rows only: no node serves it. */
const certified = async (world: World) => {
  const path = await servingDeployment(world);
  await world.cloud.rows(
    `with authority as (
       insert into certificate_authorities (serial, certificate, private_key, not_before, not_after)
       values ('authority ' || $1, 'PEM', '', now(), now() + interval '10 years') returning id
     )
     insert into deployment_certificates (deployment_id, authority_id, serial, names, certificate, private_key, status, not_before, not_after)
     select $1::bigint, id, 'certificate ' || $1, '{127.0.0.1}', 'PEM', '', 'active', now(), now() + interval '90 days' from authority`,
    [path.deployment_id],
  );
  return path;
};

const C = '/deployments/:deployment_id/certificates';

/** Routes of certificates. */
export const CERTIFICATE_ROWS: Record<string, Row> = {
  [`supervisor: GET ${C}`]: { status: 200, path: certified },
  [`supervisor: POST ${C}/rotate`]: { status: 202, path: servingDeployment },
};
