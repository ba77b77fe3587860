/** The app's logo: many sockets, one plug. */
export function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path
        d="M6.5 7.5c5 0 4.5 4.5 11 4.5M6.5 12h11M6.5 16.5c5 0 4.5-4.5 11-4.5"
        stroke="#fff"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <circle cx="6.5" cy="7.5" r="1.7" fill="#fff" />
      <circle cx="6.5" cy="12" r="1.7" fill="#fff" />
      <circle cx="6.5" cy="16.5" r="1.7" fill="#fff" />
      <circle cx="17.5" cy="12" r="2.4" fill="#fff" />
    </svg>
  );
}
