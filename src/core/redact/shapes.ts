/** A kind of secret that is known by its looks. */
export interface SecretShape {
  /** stands in the mask: `[masked github-token]` */
  readonly id: string
  readonly title: string
  /** what its owner publishes about the shape, or why it is read as a secret */
  readonly reason: string
  /** a literal part, so that a text without it is passed over quickly */
  readonly sign: string
  /** the sign is too short to be looked for inside of words as well: `task-1` is no `sk-` */
  readonly begins?: true
  readonly pattern: string
}

// Not inside a word; right after a colour sequence still counts as a beginning.
const START = '(?:(?<![A-Za-z0-9_-])|(?<=\\u001b\\[[0-9;]{0,20}m))'

// The same for the quick look, which also reads JSON (`\n` or `\u001b` before it); the m ends a colour sequence.
const EDGE = '(?:^|[^a-z]|m|\\\\(?:[bfnrt]|u[0-9a-f]{3}[a-f]))'

/** Finds the signs of these shapes, and more: together, since each EDGE makes the pattern dearer to compile. */
export function signsOf(shapes: readonly SecretShape[]): string {
  const [anywhere, atEdge] = [false, true].map(begins =>
    shapes
      .filter(shape => (shape.begins === true) === begins)
      .map(({ sign }) => sign)
      .join('|'),
  )
  return [anywhere, atEdge && `${EDGE}(?:${atEdge})`].filter(Boolean).join('|')
}

/** Every run of characters is bounded or begins at a word's start, so that no text makes matching slow. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    id: 'private-key',
    title: 'a private key in PEM form',
    reason: 'RFC 7468 encloses it in these lines; without an end all that follows is masked',
    sign: '-----BEGIN',
    pattern:
      '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\\s\\S]*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[\\s\\S]*)',
  },
  {
    id: 'jwt',
    title: 'a JSON Web Token',
    reason: 'RFC 7519: base64url of `{"` begins with eyJ',
    sign: 'eyJ',
    pattern: `${START}eyJ[\\w-]{8,}\\.[\\w-]{2,}(?:\\.[\\w-]*){0,3}`,
  },
  {
    id: 'github-token',
    title: 'a GitHub token',
    reason: "GitHub's token formats since 2021",
    sign: 'gh[pousr]_|github_pat_',
    pattern: `${START}(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,})`,
  },
  {
    id: 'gitlab-token',
    title: 'a GitLab token',
    reason: "GitLab's token prefixes",
    sign: 'gl(?:pat|ptt|dt|rt|soat|cbt|agent)-',
    pattern: `${START}gl(?:pat|ptt|dt|rt|soat|cbt|agent)-[\\w.-]{16,}`,
  },
  {
    id: 'stripe-key',
    title: 'a Stripe key or signing secret',
    reason: "Stripe's API key prefixes; pk_ is meant to be public",
    sign: '[rs]k_(?:live|test)_|whsec_',
    pattern: `${START}(?:[rs]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,})`,
  },
  {
    id: 'slack-token',
    title: 'a Slack token',
    reason: "Slack's token types",
    sign: 'xox[a-z]-|xapp-|xoxe\\.',
    pattern: `${START}(?:xox[a-z]-|xapp-|xoxe\\.)[\\w.-]{10,}`,
  },
  {
    id: 'webhook-url',
    title: 'a webhook URL of Slack or Discord',
    reason: 'whoever knows the path may post',
    sign: 'hooks\\.slack\\.com|/api/webhooks/',
    pattern:
      '(?:hooks\\.slack\\.com/(?:services|workflows|triggers)|discord(?:app)?\\.com/api/webhooks)/[\\w/-]{20,}',
  },
  {
    id: 'aws-key',
    title: 'an AWS access key id',
    reason: 'IAM unique identifiers: AKIA long-term, ASIA temporary',
    sign: 'A[KS]IA',
    pattern: `${START}A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])`,
  },
  {
    id: 'google-key',
    title: 'a Google API key, OAuth token or client secret',
    reason: "Google's prefixes",
    sign: 'AIza|ya29\\.|GOCSPX-',
    pattern: `${START}(?:AIza[\\w-]{30,}|ya29\\.[\\w.-]{20,}|GOCSPX-[\\w-]{20,})`,
  },
  {
    id: 'npm-token',
    title: 'an npm token',
    reason: 'npm granular and automation tokens',
    sign: 'npm_',
    pattern: `${START}npm_[A-Za-z0-9]{30,}`,
  },
  {
    id: 'anthropic-key',
    title: 'an Anthropic key',
    reason: "Anthropic's key prefix",
    sign: 'sk-ant-',
    begins: true,
    pattern: `${START}sk-ant-[\\w-]{16,}`,
  },
  {
    id: 'openai-key',
    title: 'an OpenAI key, or one of the services that copy its form',
    reason: "OpenAI's key prefix",
    sign: 'sk-',
    begins: true,
    pattern: `${START}sk-[\\w-]{20,}`,
  },
  {
    id: 'service-token',
    title: 'a token with the prefix of its service',
    reason:
      'Hugging Face, PyPI, SendGrid, DigitalOcean, Docker, Vault, Linear, Databricks, age publish their prefixes',
    sign: 'pypi-|dckr_[po]at_|lin_api_|AGE-SECRET-KEY-|hf_|SG\\.|do[opr]_v1_|hv[sb]\\.|dapi',
    begins: true,
    pattern: `${START}(?:hf_[A-Za-z0-9]{30,}|pypi-[\\w-]{50,}|SG\\.[\\w-]{16,}\\.[\\w-]{16,}|do[opr]_v1_[a-f0-9]{40,}|dckr_[po]at_[\\w-]{20,}|hv[sb]\\.[\\w-]{20,}|lin_api_[A-Za-z0-9]{30,}|dapi[a-f0-9]{32}|AGE-SECRET-KEY-1[A-Z0-9]{40,})`,
  },
  {
    id: 'bearer-token',
    title: 'the token of a Bearer header',
    reason: 'RFC 6750; a digit tells it from prose',
    sign: '[Bb]earer',
    pattern: '(?<=[Bb]earer {1,4})(?=[^\\s"\',;]{0,200}\\d)[\\w.~+/=-]{8,}',
  },
  {
    id: 'basic-credentials',
    title: 'the credentials of a Basic header',
    reason: 'RFC 7617; a digit or padding tells it from prose',
    sign: '[Bb]asic',
    pattern: '(?<=[Bb]asic {1,4})(?=[A-Za-z+/]{0,400}[0-9=])[A-Za-z0-9+/]{8,}={0,2}',
  },
  {
    id: 'url-password',
    title: 'the password inside a URL',
    reason: 'RFC 3986 section 3.2.1 deprecates it and says not to render it',
    sign: '://[^\\s/@]{1,600}@',
    pattern: '(?<=[a-z][a-z0-9+.-]{1,20}://[^\\s/:@]{0,256}:)[^\\s/@][^\\s/]{0,512}(?=@)',
  },
  {
    id: 'url-signature',
    title: 'the signature of a presigned URL',
    reason: 'AWS, Google and Azure: whoever has it may use the URL until it ends',
    sign: '[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature)=',
    pattern:
      '(?<=[?&](?:[Ss]ig|[Ss]ignature|[Xx]-[Aa]mz-[Ss]ignature|[Xx]-[Aa]mz-[Ss]ecurity-[Tt]oken|[Xx]-[Gg]oog-[Ss]ignature)=)[^&\\s"\'<>]{8,}',
  },
]
