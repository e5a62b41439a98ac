import { NewOrganization } from '../account/new-organization.js';
import { ReceivedInvitations } from '../account/received-invitations.js';
import styles from '../account/account.module.css';

/** A person without an organization accepts an invitation, or creates an organization. */
export const NoTenantScreen = () => (
  <div className={styles['sections']}>
    <h1>You are a member of no organization</h1>
    <ReceivedInvitations />
    <section aria-labelledby="new">
      <h2 id="new">New organization</h2>
      <NewOrganization />
    </section>
  </div>
);
