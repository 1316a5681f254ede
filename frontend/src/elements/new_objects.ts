/** What a new object begins with. */

export const NEW_POD = `apiVersion: v1
kind: Pod
metadata:
  name: new-pod
  namespace: default
spec:
  containers:
    - name: main
      image: registry.example.com/app:1
      resources:
        requests:
          cpu: 500m
          memory: 256Mi
`;

export const NEW_NODE = `apiVersion: v1
kind: Node
metadata:
  name: new-node
  labels:
    kubernetes.io/hostname: new-node
status:
  allocatable:
    cpu: "4"
    memory: 16Gi
    pods: "110"
  conditions:
    - type: Ready
      status: "True"
`;
