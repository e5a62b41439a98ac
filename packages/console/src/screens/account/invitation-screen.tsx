import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { receivedInvitationQuery } from '../../api/queries/account.js';
import { Time } from '../../ui/text/time.js';
import styles from './account.module.css';
import { InvitationAnswer } from './invitation-answer.js';
import { ReceivedPage } from './received-page.js';

/** The link in the mail of an invitation opens this page. */
export function InvitationScreen() {
  const { invitationId } = useParams({ from: '/signed-in/account/invitations/$invitationId' });
  const { data, error } = useQuery(receivedInvitationQuery(invitationId));
  return (
    <ReceivedPage title="You are invited" error={error}>
      {data && (
        <>
          <dl className={styles['facts']}>
            <dt>Organization</dt>
            <dd>
              <bdi>{data.tenant.name}</bdi>
            </dd>
            <dt>Invited by</dt>
            <dd>
              <bdi>{data.invited_by}</bdi>
            </dd>
            <dt>Roles</dt>
            <dd>
              <bdi>{data.roles.map(({ name }) => name).join(', ') || 'none yet'}</bdi>
            </dd>
            <dt>Expires</dt>
            <dd>
              <Time at={data.expires_at} />
            </dd>
          </dl>
          {data.status === 'pending' ? (
            <InvitationAnswer invitation={data} />
          ) : (
            <p role="status">The invitation is {data.status}.</p>
          )}
        </>
      )}
    </ReceivedPage>
  );
}
