export const NoTenantScreen = () => (
  <>
    <h1>You are a member of no organization</h1>
    <p>Accept an invitation that you got by mail, or ask the owner of an organization for one.</p>
  </>
);
