/** A day of visitors: attacks that both WAFs know, some that only one knows, and innocent requests. */
export const dayOfVisitors = [
  ...Array.from({ length: 5 }, () => ({ path: '/news', query: 'q=<script>' })),
  ...Array.from({ length: 7 }, (_, index) => ({
    path: '/search',
    query: `q=1+or+1%3D1&n=${index}`,
    clientIP: `192.0.2.${index}`,
  })),
  { path: '/reports', query: 'x=onload%3D1' },
  ...Array.from({ length: 3 }, () => ({ path: '/a', query: 'x=${jndi:ldap://x}' })),
  ...Array.from({ length: 4 }, () => ({ path: '/api/index.php/v1/config' })),
  ...Array.from({ length: 6 }, (_, index) => ({
    path: `/wp-json/wp/v2/users/${index}`,
    clientIP: `203.0.113.${index}`,
  })),
  ...Array.from({ length: 2 }, () => ({ path: '/upload', query: 'f=php://input' })),
  { userAgent: 'BadBot' },
  { path: '/' },
];
