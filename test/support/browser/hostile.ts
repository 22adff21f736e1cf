/** Texts that would run, load or break something if a page contained them unescaped. */
export const hostileTexts = [
  '<script>pwned()</script>',
  '<img src=x onerror=pwned()>',
  '"><svg onload=pwned()>',
  "' onmouseover='pwned()",
  '</style><script>pwned()</script>',
  '</script><script>pwned()</script>',
  '--><script>pwned()</script><!--',
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  '<a href="javascript:pwned()">x</a>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '&lt;script&gt;pwned()&lt;/script&gt;',
  '\u202eevil\u0000\u001b[31m\ud800',
  '${pwned()} {{pwned()}}',
] as const;
