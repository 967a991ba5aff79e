(** The theorems of this folder, and what each of them assumes: nothing.

    - what no step changes: [shape_stays], [seeds_stay], [seeds_stay_reach];
    - partly known states: [act_le], [search_sound];
    - [backward-closed]: [check_backward_unreachable], and of the set itself [set_backward_closed],
      [set_starts_avoid], [set_covers_target];
    - [forward-closed]: [forward_unreachable], [forward_every_step];
    - [falling-numbers]: [falling_terminates], [falling_within];
    - [depths]: [depths_count], [depths_count_not];
    - [play]: [play_reachable], [play_within], [play_refutes], [play_fault], [play_longer],
      [play_endless], [play_breaks];
    - [strategies]: [starts_force], [position_forces], [starts_prevent], [position_prevents],
      [position_prevents_within], [starts_worth], [position_worth], [position_at_least],
      [position_at_most], [starts_at_least], [starts_at_most];
    - [closed-product]: [product_refines], [product_equivalent];
    - [winning-states]: [winning_count]. *)
From Mancheck Require Import Kernel Shape Order Claims Evidence Search Starts Closed Forward Falling
  Losses Endings Passed Backward Boards Plays Depths Games Strategies Values Forcing Traces Product
  Winning.

Print Assumptions shape_stays.
Print Assumptions seeds_stay.
Print Assumptions seeds_stay_reach.
Print Assumptions act_le.
Print Assumptions search_sound.
Print Assumptions check_backward_unreachable.
Print Assumptions set_backward_closed.
Print Assumptions set_starts_avoid.
Print Assumptions set_covers_target.
Print Assumptions forward_unreachable.
Print Assumptions forward_every_step.
Print Assumptions falling_terminates.
Print Assumptions falling_within.
Print Assumptions depths_count.
Print Assumptions depths_count_not.
Print Assumptions play_reachable.
Print Assumptions play_within.
Print Assumptions play_refutes.
Print Assumptions play_fault.
Print Assumptions play_longer.
Print Assumptions play_endless.
Print Assumptions play_breaks.
Print Assumptions starts_force.
Print Assumptions position_forces.
Print Assumptions starts_prevent.
Print Assumptions position_prevents.
Print Assumptions position_prevents_within.
Print Assumptions starts_worth.
Print Assumptions position_worth.
Print Assumptions position_at_least.
Print Assumptions position_at_most.
Print Assumptions starts_at_least.
Print Assumptions starts_at_most.
Print Assumptions product_refines.
Print Assumptions product_equivalent.
Print Assumptions winning_count.
