/** What changes a run's past: the dialogue that forks it. */

import "./what_if.css";
import "./fork.css";
import "./sp-fork";
