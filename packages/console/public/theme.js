// Runs before the first paint, so that a dark screen never flashes. Not inline, because the policy of the page allows no inline script.
document.documentElement.dataset.theme = localStorage.getItem('landlord.theme') ?? 'system';
