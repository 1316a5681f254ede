/** What weighs a decision anew: only loaded when somebody does. */

import "./sensitivity.css";
import "./sp-sensitivity";
