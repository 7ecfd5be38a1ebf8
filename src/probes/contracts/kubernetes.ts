import { MINUTE, type ServiceContract } from './contract.js'

export const kubernetesObjects: ServiceContract = {
  title: 'an object of Kubernetes with a name of its own',
  version: 1,
  parameters: {
    api: { means: 'the API server' },
    path: { means: 'the collection: apis/apps/v1/namespaces/shop/deployments' },
    name: { means: 'metadata.name', default: '{input.metadata.name}' },
    token: { means: 'environment variable with the token', default: 'KUBE_TOKEN' },
  },
  effect: 'compensable',
  repeat: { kind: 'conditional', names: 'reusable' },
  arrival_ms: 15 * MINUTE,
  ids: [{ kind: 'kubernetes_object', path: 'metadata.uid' }],
  marker: 'metadata.annotations["agent-ledger/operation-id"], with a fixed metadata.name',
  look_here: { check: 'kubectl get --raw /{with.path}/{with.name}' },
  probes: [
    {
      kind: 'http',
      grade: 'B',
      settle_ms: 0,
      url: '{with.api}/{with.path}/{with.name}',
      // Who may not read gets 403; the list says so before the 404 of a name is believed.
      parent: '{with.api}/{with.path}?limit=1',
      headers: { authorization: 'Bearer {env.{with.token}}' },
      // An API server stands in the private network of its cluster.
      allow_private: true,
      match: { operation_id: { path: 'metadata.annotations."agent-ledger/operation-id"' } },
      id: { kind: 'kubernetes_object', value: 'metadata.uid' },
      result: '{uid: metadata.uid, resourceVersion: metadata.resourceVersion}',
    },
  ],
  answers: [
    'A read by name is of the newest state.',
    '409 AlreadyExists after a lost answer may be our own first write: the annotation tells.',
    'generateName is not safe: a lost answer leaves an object whose name nobody knows.',
    'The object under our name without our annotation is another writer’s: a person decides.',
  ],
  sources: [
    { url: 'https://kubernetes.io/docs/reference/using-api/api-concepts/', read: null },
    {
      url: 'https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/4420-retry-generate-name',
      read: '2026-11',
    },
  ],
}
