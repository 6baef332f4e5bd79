import naughtyStrings from 'big-list-of-naughty-strings'

/** What somebody types who wants a header, a recipient, a mention, a link or markup of their own. */
const ours: readonly string[] = [
  'x\r\nBcc: victim@other.example',
  'x\nBcc: victim@other.example\n\nAnother body',
  'x\r\n\r\n--boundary\r\nContent-Type: text/html\r\n\r\n<b>hi</b>',
  'x\u2028Bcc: victim@other.example',
  'x\u0085Bcc: victim@other.example',
  '=?UTF-8?B?eA0KQmNjOiB2aWN0aW1Ab3RoZXIuZXhhbXBsZQ==?=',
  '=?utf-8?q?=0D=0ABcc:_victim=40other.example?=',
  'ada@visitor.example,victim@other.example',
  'ada@visitor.example>\r\nRCPT TO:<victim@other.example',
  '"ada@visitor.example, victim@other.example" <ada@visitor.example>',
  'Invoice \u202egpj.exe',
  '\u2066\u2067nested\u2069',
  'nul\u0000bel\u0007esc\u001b[31mred',
  '\ud800 alone \udfff',
  '<!channel> <!here> <!everyone>',
  '<@U024BE7LH> <#C024BE7LR>',
  '<https://evil.example|https://bank.example>',
  '@everyone @here <@123456789012345678> <@&123> <#456>',
  '[click](https://evil.example) ![x](https://evil.example/x.png)',
  '<at>Everyone</at> {{DATE(2026-01-01)}} $(title)',
  '*bold* _italic_ ~strike~ `code` ```block``` > quote\n# heading\n- list\n||spoiler||',
  '</td></tr></table></body></html><h1>Out</h1>',
  '--><script>alert(1)</script><!--',
  '<![endif]--><img src="https://evil.example/open.png">',
  '&lt;b&gt; &amp; &#60;script&#62;',
  '.\r\n.\r\nQUIT',
  'a'.repeat(20_000),
  '🏳️‍🌈👩🏽‍🚀'.repeat(2000),
  '\u0301'.repeat(5000),
  ' '.repeat(5000),
]

export const hostileValues: readonly string[] = [...ours, ...naughtyStrings]
