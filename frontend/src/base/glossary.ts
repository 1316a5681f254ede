/** The Kubernetes words of the pages: two sentences each, and where Kubernetes' documentation says more. */

export interface Entry {
  word: string;
  text: string;
  /** Path below kubernetes.io. */
  path: string;
}

const SCHEDULER = "/docs/concepts/scheduling-eviction";
const FRAMEWORK = `${SCHEDULER}/scheduling-framework/`;
const CONFIG = "/docs/reference/scheduling/config/";

const entry = (word: string, path: string, text: string): Entry => ({ word, path, text });

export const GLOSSARY: readonly Entry[] = [
  entry("activeQ", FRAMEWORK, "Pods that are ready for an attempt, the most important first. The scheduler takes the next one from its head."),
  entry("backoffQ", FRAMEWORK, "Pods whose last attempt failed and which wait out a delay that doubles with every failure, from 1 s up to 10 s. It keeps a pod that cannot be placed from taking every turn."),
  entry("unschedulable pods", FRAMEWORK, "Pods that no node could take and which wait for a change in the cluster. An event that a plugin finds helpful, or five minutes, brings them back."),
  entry("scheduling gates", `${SCHEDULER}/pod-scheduling-readiness/`, "Names in spec.schedulingGates that hold a pod back. It is not looked at until all of them have been removed."),
  entry("in flight", FRAMEWORK, "Pods that were taken from the queue and are being scheduled or bound. Events that come meanwhile are remembered and judged if the attempt fails."),
  entry("QueueingHint", `${FRAMEWORK}#queueinghint`, "A plugin's answer to the question whether an event may make a pod schedulable that it refused. Queue brings the pod back, QueueSkip leaves it waiting."),
  entry("scheduling cycle", `${FRAMEWORK}#scheduling-cycle-binding-cycle`, "One attempt to find a node for one pod, run one after the other. The binding cycle that follows may overlap the next attempt."),
  entry("attempt", FRAMEWORK, "One scheduling cycle of a pod. A pod that could not be placed has another one when something changes."),
  entry("PreEnqueue", `${FRAMEWORK}#pre-enqueue`, "The extension point before a pod enters the active queue. A plugin that refuses here holds the pod back, as scheduling gates do."),
  entry("PreFilter", `${FRAMEWORK}#pre-filter`, "Runs once for a pod before its nodes are looked at, to prepare or to refuse at once. It may narrow the nodes to a few, or say that its Filter can be skipped."),
  entry("Filter", `${FRAMEWORK}#filter`, "Asks each plugin whether a node can take the pod, node by node. The first plugin that refuses decides; the later ones are not asked about that node."),
  entry("PostFilter", `${FRAMEWORK}#post-filter`, "Runs only where no node passed the filters. The default plugin tries preemption here."),
  entry("PreScore", `${FRAMEWORK}#pre-score`, "Prepares what the score plugins share. A plugin may say here that its score can be skipped."),
  entry("Score", `${FRAMEWORK}#scoring`, "Gives each node that passed the filters points from 0 to 100 a plugin, which are normalised and multiplied by the plugin's weight. The node with the highest sum is chosen."),
  entry("Reserve", `${FRAMEWORK}#reserve`, "Holds what the pod needs on the chosen node before it is bound. If a later step fails, Unreserve gives it back."),
  entry("Permit", `${FRAMEWORK}#permit`, "The last point at which a pod can be refused or made to wait before it is bound. Gang scheduling waits here for the others."),
  entry("PreBind", `${FRAMEWORK}#pre-bind`, "Does what must be done before binding, such as attaching a volume. A failure sends the pod back to the queue."),
  entry("Bind", `${FRAMEWORK}#bind`, "Writes the node's name into the pod. From then on the kubelet of that node takes over."),
  entry("PostBind", `${FRAMEWORK}#post-bind`, "Told after a pod was bound, to clean up. It can refuse nothing."),
  entry("Unschedulable", FRAMEWORK, "A refusal that may change when other pods go. Preemption on that node is worth trying."),
  entry("UnschedulableAndUnresolvable", FRAMEWORK, "A refusal that no eviction would change, such as a taint or a missing label. Preemption leaves such nodes out."),
  entry("preemption", `${SCHEDULER}/pod-priority-preemption/#preemption`, "Evicting pods of lower priority so that a pending one fits. The node is chosen so that the fewest budgets are broken and the least important pods go."),
  entry("victim", `${SCHEDULER}/pod-priority-preemption/#preemption`, "A pod that preemption deletes to make room. It gets its termination grace period, so the room is not free at once."),
  entry("nominated node", `${SCHEDULER}/pod-priority-preemption/#user-exposed-information`, "The node on which room is being made for a pod. It is a promise, not a decision: the pod may still land elsewhere."),
  entry("PodDisruptionBudget", "/docs/concepts/workloads/pods/disruptions/", "How many pods of an application may be away at once. Preemption prefers victims whose budget allows it, but may break it."),
  entry("priority", `${SCHEDULER}/pod-priority-preemption/`, "A number that orders pending pods in the queue and says who may evict whom. It comes from the pod's PriorityClass."),
  entry("allocatable", "/docs/tasks/administer-cluster/reserve-compute-resources/#node-allocatable", "What a node has for pods: its capacity less what the system keeps. The scheduler compares it with what pods request, not with what they use."),
  entry("requests", "/docs/concepts/configuration/manage-resources-containers/", "What a pod's containers ask for. The scheduler adds them up per node; the pod may use more or less."),
  entry("taint", `${SCHEDULER}/taint-and-toleration/`, "A mark on a node that keeps pods away which do not tolerate it. NoSchedule and NoExecute refuse, PreferNoSchedule only costs points."),
  entry("toleration", `${SCHEDULER}/taint-and-toleration/`, "A pod's permission to stand on nodes with a matching taint. It does not draw the pod there."),
  entry("node affinity", `${SCHEDULER}/assign-pod-node/#node-affinity`, "Which labels a node must have, or should have, for a pod. The required terms filter, the preferred ones score."),
  entry("pod affinity", `${SCHEDULER}/assign-pod-node/#inter-pod-affinity-and-anti-affinity`, "Wishes about the pods that are already in a node's topology domain. Affinity wants them near, anti-affinity wants them away."),
  entry("topology spread", `${SCHEDULER}/topology-spread-constraints/`, "How evenly matching pods must be spread over zones, nodes or other domains. The skew is the difference between a domain and the emptiest one."),
  entry("cordoned", "/docs/concepts/architecture/nodes/#manual-node-administration", "A node with spec.unschedulable set takes no new pods. Those on it stay."),
  entry("NodeResourcesFit", `${CONFIG}#scheduling-plugins`, "Refuses nodes whose free cpu, memory, pods or extended resources are less than the pod requests. It also scores, by default the emptier node higher."),
  entry("TaintToleration", `${CONFIG}#scheduling-plugins`, "Refuses nodes with a taint that the pod does not tolerate. Among the others it prefers those with fewer PreferNoSchedule taints."),
  entry("NodeAffinity", `${CONFIG}#scheduling-plugins`, "Holds spec.nodeSelector and node affinity against a node's labels. Preferred terms become points."),
  entry("NodeName", `${CONFIG}#scheduling-plugins`, "Refuses all nodes but the one named in spec.nodeName, where a pod names one. Most pods name none."),
  entry("NodePorts", `${CONFIG}#scheduling-plugins`, "Refuses nodes where a host port that the pod asks for is taken. Only pods with hostPort are concerned."),
  entry("NodeUnschedulable", `${CONFIG}#scheduling-plugins`, "Refuses nodes that are cordoned. A pod that tolerates the taint node.kubernetes.io/unschedulable passes."),
  entry("PodTopologySpread", `${CONFIG}#scheduling-plugins`, "Refuses nodes on which a spread constraint would be broken, where the constraint says DoNotSchedule. With ScheduleAnyway it scores instead."),
  entry("InterPodAffinity", `${CONFIG}#scheduling-plugins`, "Judges pod affinity and anti-affinity, also those of the pods that are already there. It is the dearest plugin where many pods have such terms."),
  entry("VolumeBinding", `${CONFIG}#scheduling-plugins`, "Looks whether the pod's claims have, or can get, a volume that the node can reach. A claim that waits for its first consumer is bound with the pod."),
  entry("NodeResourcesBalancedAllocation", `${CONFIG}#scheduling-plugins`, "Scores nodes higher on which the shares of cpu and memory in use would be alike. It keeps one resource from running out while the other lies idle."),
  entry("ImageLocality", `${CONFIG}#scheduling-plugins`, "Gives points to nodes that have the pod's images already. Large images count more, and those that few nodes have count less."),
  entry("DefaultPreemption", `${CONFIG}#scheduling-plugins`, "The PostFilter plugin that looks for victims. It tries nodes that could take the pod once pods of lower priority are gone."),
  entry("SchedulingGates", `${CONFIG}#scheduling-plugins`, "The PreEnqueue plugin that holds pods with scheduling gates. It lets them in when the last gate is gone."),
  entry("skew", `${SCHEDULER}/topology-spread-constraints/`, "The number of matching pods in a domain less the number in the emptiest domain. A constraint's maxSkew bounds it."),
  entry("sampling", "/docs/concepts/scheduling-eviction/scheduler-perf-tuning/", "In large clusters the scheduler stops looking once it has found enough nodes that fit. The next cycle goes on where this one stopped."),
  entry("fragmentation", `${SCHEDULER}/resource-bin-packing/`, "Room that is free on all nodes together but on no single one enough for a pod. Packing pods more tightly leaves larger pieces."),
];

const byWord = new Map(GLOSSARY.map((one) => [one.word.toLowerCase(), one]));

export function lookUp(word: string): Entry | undefined {
  return byWord.get(word.toLowerCase());
}

export const addressOf = (one: Entry): string => `https://kubernetes.io${one.path}`;
